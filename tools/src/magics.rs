//! Prints `movegen/src/magic_numbers.rs`.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anyhow::Result;
use sakmak_movegen::find_magics;
use sakmak_tools::output;

/// Searches and prints; with the default seed exactly the file in the tree.
pub(crate) fn print(seed: u64) -> Result<()> {
    let found = find_magics(seed);
    let mut text = format!(
        "//! Multipliers for [`crate::magic`], written by `sakmak-tools magics`.\n\n\
         /// The seed with which [`crate::find_magics`] reproduces these numbers.\n\
         pub const MAGIC_SEED: u64 = {seed};\n\n\
         /// One multiplier for each square, a1 first.\n\
         #[rustfmt::skip]\n\
         pub(crate) const MAGICS: [u64; 64] = [\n"
    );
    for row in found.magics.chunks(4) {
        let row: Vec<_> = row.iter().map(|&magic| literal(magic)).collect();
        writeln!(text, "    {},", row.join(", "))?;
    }
    text.push_str("];\n");
    output::print(&text)?;
    // Should even that fail, the numbers are there.
    let _ = writeln!(io::stderr(), "{} candidates tried", found.candidates);
    Ok(())
}

/// A number in hexadecimal, four digits a group.
fn literal(number: u64) -> String {
    let groups: Vec<_> =
        [48, 32, 16, 0].iter().map(|shift| format!("{:04x}", number >> shift & 0xffff)).collect();
    format!("0x{}", groups.join("_"))
}
