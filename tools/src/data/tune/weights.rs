//! Fitted numbers as the table of weights.

use sakmak_eval::weights::TABLES;

use super::fit::WeightVector;

/// Weights are kept within this, so that their sums fit 16 bits.
const LARGEST: i32 = 2_000;

/// The weights that the program was built with.
pub fn start() -> WeightVector {
    let values = TABLES.iter().flat_map(|table| table.values);
    values.map(|value| [f64::from(value.middlegame()), f64::from(value.endgame())]).collect()
}

/// All weights times a factor.
pub fn times(weights: &WeightVector, factor: f64) -> WeightVector {
    weights.iter().map(|halves| halves.map(|half| half * factor)).collect()
}

/// The nearest whole numbers.
pub fn rounded(weights: &WeightVector) -> Vec<[i32; 2]> {
    let whole = |weight: f64| (weight.round() as i32).clamp(-LARGEST, LARGEST);
    weights.iter().map(|halves| halves.map(whole)).collect()
}

/// The place of a table among all weights.
fn place(name: &str) -> Option<std::ops::Range<usize>> {
    let table = TABLES.iter().find(|table| table.name == name)?;
    Some(table.start..table.start + table.values.len())
}

/// Tables of which every piece of a kind counts exactly one entry.
const BY_PIECE: [(usize, &[&str]); 5] = [
    (0, &["BIA_PST"]),
    (1, &["MET_PST", "MET_BY_BIA"]),
    (2, &["KHON_PST", "KHON_MOBILITY", "KHON_BY_BIA"]),
    (3, &["MAA_PST", "MAA_MOBILITY", "MAA_BY_BIA"]),
    (4, &["RUA_PST", "RUA_MOBILITY", "RUA_BY_BIA"]),
];

/// Moves the mean of such tables to the material, so that it holds the value of a piece. No evaluation changes.
pub fn centred(mut values: Vec<[i32; 2]>, uses: &[u64]) -> Vec<[i32; 2]> {
    let Some(material) = place("MATERIAL") else { return values };
    for (kind, names) in BY_PIECE {
        for range in names.iter().filter_map(|name| place(name)) {
            let total: u64 = uses[range.clone()].iter().sum();
            if total == 0 {
                continue;
            }
            for half in [0, 1] {
                let weighed =
                    range.clone().map(|number| f64::from(values[number][half]) * uses[number] as f64);
                let mean = (weighed.sum::<f64>() / total as f64).round() as i32;
                range.clone().for_each(|number| values[number][half] -= mean);
                values[material.start + kind][half] += mean;
            }
        }
    }
    values
}

/// The values of bia, met, khon, maa and rua.
pub fn material(values: &[[i32; 2]]) -> &[[i32; 2]] {
    place("MATERIAL").map_or(&[], |range| &values[range.start..range.end - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_named_here_exist() {
        for name in BY_PIECE.into_iter().flat_map(|(_, names)| names).chain([&"MATERIAL"]) {
            assert!(place(name).is_some(), "{name}");
        }
    }
}
