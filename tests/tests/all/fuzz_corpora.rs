//! The committed corpora of the fuzz targets, run as ordinary tests.

use std::fs;
use std::path::Path;

use sakmak_tests::fuzz::TARGETS;

#[test]
fn every_corpus_holds() {
    for (name, property) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
        let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut inputs = 0;
        for file in files {
            property(&fs::read(file.unwrap().path()).unwrap());
            inputs += 1;
        }
        assert!(inputs > 0, "{name}: no corpus");
    }
}
