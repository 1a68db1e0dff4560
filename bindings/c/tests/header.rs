//! The committed header is what cbindgen makes of the source. `SAKMAK_WRITE_HEADER=1 cargo test` writes it.

use std::path::Path;

#[test]
fn the_header_is_that_of_the_source() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let mut header = Vec::new();
    let builder = cbindgen::Builder::new().with_config(config).with_src(folder.join("src/lib.rs"));
    builder.generate().unwrap().write(&mut header);
    let header = String::from_utf8(header).unwrap();
    let path = folder.join("sakmak.h");
    if std::env::var_os("SAKMAK_WRITE_HEADER").is_some() {
        std::fs::write(&path, &header).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), header, "run SAKMAK_WRITE_HEADER=1 cargo test");
}
