//! `sakmak-bindgen INPUT.wasm FOLDER`: the WebAssembly for browsers and Node, with its JavaScript and types.
//!
//! The program `wasm-bindgen` does the same. It is not installed for this, because it needs crates for network and TLS,
//! and its version has to be that of the crate.

use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder] = &arguments[..] else { return Err("sakmak-bindgen INPUT.wasm FOLDER".into()) };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).web(true)?.typescript(true).out_name("sakmak").remove_name_section(true);
    bindgen.remove_producers_section(true).generate(folder)?;
    Ok(())
}
