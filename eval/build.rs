//! Names the network to compile in: `SAKMAK_NETWORK` (a relative path starts at the workspace), by default
//! `eval/network.sakmak`.

use std::path::{self, Path, PathBuf};
use std::{env, fs, process};

fn main() {
    println!("cargo::rerun-if-env-changed=SAKMAK_NETWORK");
    if let Err(fault) = name_network() {
        eprintln!("{fault}");
        process::exit(1);
    }
}

fn name_network() -> Result<(), String> {
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
    Ok(())
}
