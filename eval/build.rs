//! Packs the network to compile in: `SAKMAK_NETWORK` (a relative path starts at the workspace), by default
//! `eval/network.sakmak`. `src/network/packed.rs` describes the packed form and reads it.

use std::path::{self, Path, PathBuf};
use std::{env, fs, process};

fn main() {
    println!("cargo::rerun-if-env-changed=SAKMAK_NETWORK");
    if let Err(fault) = pack_network() {
        eprintln!("{fault}");
        process::exit(1);
    }
}

/// The bytes of a network's file before its description, whose length is the last of their numbers.
const HEADER: usize = 20;
/// The weights in a row: the width of the hidden layer.
const WIDTH: usize = 256;
const LARGE: u8 = u8::MAX;

fn pack_network() -> Result<(), String> {
    // Cargo runs this in the package's folder.
    let workspace = Path::new("..");
    let named = env::var_os("SAKMAK_NETWORK").filter(|name| !name.is_empty());
    let file = named.map_or(PathBuf::from("network.sakmak"), |name| workspace.join(name));
    let fault =
        |fault: &str| format!("the network to compile in (SAKMAK_NETWORK), {}: {fault}", file.display());
    let metadata = fs::metadata(&file).map_err(|error| fault(&error.to_string()))?;
    if !metadata.is_file() {
        return Err(fault("not a file"));
    }
    let path = path::absolute(&file).map_err(|error| fault(&error.to_string()))?;
    let path = path
        .to_str()
        .filter(|path| !path.contains('\n'))
        .ok_or_else(|| fault("its path is not plain text"))?;
    println!("cargo::rerun-if-changed={path}");
    println!("cargo::rustc-env=SAKMAK_NETWORK_FILE={path}");
    let bytes = fs::read(&file).map_err(|error| fault(&error.to_string()))?;
    let output = env::var_os("OUT_DIR").ok_or_else(|| fault("Cargo names no OUT_DIR"))?;
    let packed = Path::new(&output).join("network.packed");
    fs::write(packed, pack(&bytes)).map_err(|error| fault(&error.to_string()))
}

/// Any bytes can be packed; whether they are a network is checked where it is loaded.
fn pack(file: &[u8]) -> Vec<u8> {
    let description =
        file[..file.len().min(HEADER)].last_chunk().map_or(0, |&length| u32::from_le_bytes(length));
    let start = file.len().min(HEADER.saturating_add(description as usize));
    let (start, weights) = file.split_at(start);
    let rows = weights.len() / (2 * WIDTH);
    let (weights, end) = weights.split_at(2 * WIDTH * rows);
    let (mut codes, mut large) = (Vec::new(), Vec::new());
    for column in 0..WIDTH {
        for row in weights.chunks_exact(2 * WIDTH) {
            let weight = i16::from_le_bytes([row[2 * column], row[2 * column + 1]]);
            let code = ((weight << 1) ^ (weight >> 15)) as u16;
            let short = u8::try_from(code).unwrap_or(LARGE);
            codes.push(short);
            if short == LARGE {
                large.extend(code.to_le_bytes());
            }
        }
    }
    let numbers = [start.len(), rows].map(|number| (number as u32).to_le_bytes());
    [numbers.as_flattened(), start, &codes, &large, end].concat()
}
