//! Prints `movegen/src/magic_numbers.rs`.

use sakmak_movegen::find_magics;

/// Searches and prints; with the default seed exactly the file in the tree.
pub(crate) fn print(seed: u64) {
    let found = find_magics(seed);
    println!("//! Multipliers for [`crate::magic`], written by `sakmak-tools magics`.\n");
    println!("/// The seed with which [`crate::find_magics`] reproduces these numbers.");
    println!("pub const MAGIC_SEED: u64 = {seed};\n");
    println!("/// One multiplier for each square, a1 first.");
    println!("#[rustfmt::skip]");
    println!("pub(crate) const MAGICS: [u64; 64] = [");
    for row in found.magics.chunks(4) {
        let row: Vec<_> = row.iter().map(|&magic| literal(magic)).collect();
        println!("    {},", row.join(", "));
    }
    println!("];");
    eprintln!("{} candidates tried", found.candidates);
}

/// A number in hexadecimal, four digits a group.
fn literal(number: u64) -> String {
    let groups: Vec<_> =
        [48, 32, 16, 0].iter().map(|shift| format!("{:04x}", number >> shift & 0xffff)).collect();
    format!("0x{}", groups.join("_"))
}
