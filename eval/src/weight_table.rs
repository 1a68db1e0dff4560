//! Weights as data: tables whose entries are numbered for the tuner.

use std::fmt::Write;

use sakmak_movegen::Bitboard;

use crate::tapered::Tapered;

/// Some weights of one meaning, and the number of the first among all weights.
#[derive(Clone, Copy, Debug)]
pub struct WeightTable<const N: usize> {
    start: usize,
    values: [Tapered; N],
}

impl<const N: usize> WeightTable<N> {
    pub(crate) const fn new(start: usize, values: [Tapered; N]) -> Self {
        Self { start, values }
    }

    /// The weight of an entry.
    #[inline]
    pub const fn value(&self, entry: usize) -> Tapered {
        self.values[entry]
    }
}

/// What [`WeightTable`]s hold, for programs that change them.
#[derive(Clone, Copy, Debug)]
pub struct WeightTableInfo {
    /// The name in the source.
    pub name: &'static str,
    /// The lines of its comment.
    pub docs: &'static [&'static str],
    /// The number of its first weight.
    pub start: usize,
    /// Rows in the source; each has the same length.
    pub rows: usize,
    /// The weights, row by row.
    pub values: &'static [Tapered],
}

/// Defines a [`WeightTable`] for each name, numbered in order, and their `TABLES` of descriptions.
macro_rules! weights {
    ($($(#[doc = $doc:literal])* $name:ident = $([$($value:expr),* $(,)?])+;)*) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "these are names of constants")]
        #[derive(Clone, Copy)]
        enum Number { $($name,)* End }
        const LENGTHS: &[usize] = &[$([$($($value,)*)*].len()),*];
        const fn start(table: Number) -> usize {
            let (mut start, mut before) = (0, 0);
            while before < table as usize {
                start += LENGTHS[before];
                before += 1;
            }
            start
        }
        $(
            $(#[doc = $doc])*
            pub const $name: WeightTable<{ [$($($value,)*)*].len() }> =
                WeightTable::new(start(Number::$name), [$($($value,)*)*]);
        )*
        /// How many weights there are.
        pub const WEIGHTS: usize = start(Number::End);
        /// Every table of weights, in order.
        pub const TABLES: &[WeightTableInfo] = &[$(WeightTableInfo {
            name: stringify!($name),
            docs: &[$($doc),*],
            start: start(Number::$name),
            rows: [$(stringify!($($value)*)),*].len(),
            values: &[$($($value,)*)*],
        }),*];
    };
}
pub(crate) use weights;

/// Number of imbalance buckets.
pub(crate) const IMBALANCE_BUCKETS: usize = 5;

/// The imbalance bucket of a lead in pieces other than bia (-4 to 4): far fewer pieces than the enemy (0), fewer, as
/// many, more, far more (4).
#[inline]
pub(crate) const fn imbalance_bucket(piece_lead: i32) -> usize {
    match piece_lead {
        ..=-3 => 0,
        -2..=-1 => 1,
        0 => 2,
        1..=2 => 3,
        3.. => 4,
    }
}

/// Receives the terms of one side, each a weight and how often it counts: sums them up, or traces them for the tuner.
pub(crate) trait Tracer: Default {
    /// Counts the weight with this number and value.
    fn count_weight(&mut self, number: usize, value: Tapered, count: i32);

    /// Counts a single weight.
    #[inline]
    fn add(&mut self, weight: &WeightTable<1>, count: i32) {
        self.count_weight(weight.start, weight.values[0], count);
    }

    /// Counts a single weight for each square of a set.
    #[inline]
    fn each(&mut self, weight: &WeightTable<1>, set: Bitboard) {
        self.add(weight, set.len() as i32);
    }

    /// Counts an entry of a table.
    #[inline]
    fn times<const N: usize>(&mut self, table: &WeightTable<N>, entry: usize, count: i32) {
        self.count_weight(table.start + entry, table.values[entry], count);
    }

    /// Counts an entry of a table that has a row for each imbalance bucket.
    #[inline]
    fn by_bucket<const N: usize>(&mut self, table: &WeightTable<N>, bucket: usize, entry: usize, count: i32) {
        self.times(table, N / IMBALANCE_BUCKETS * bucket + entry, count);
    }

    /// Counts an entry of a table once.
    #[inline]
    fn at<const N: usize>(&mut self, table: &WeightTable<N>, entry: usize) {
        self.times(table, entry, 1);
    }
}

/// The sum of the terms: what playing needs.
impl Tracer for Tapered {
    #[inline]
    fn count_weight(&mut self, _number: usize, value: Tapered, count: i32) {
        *self += value * count;
    }
}

/// The source of `weights.rs` with other values, middlegame and endgame by number.
///
/// # Panics
/// If there are not as many values as weights.
pub fn source(values: &[[i32; 2]]) -> String {
    const BEGIN: &str = "weights! {\n";
    let old = include_str!("weights.rs");
    let head = old.find(BEGIN).map_or(0, |at| at + BEGIN.len());
    let mut text = old[..head].to_owned();
    for table in crate::weights::TABLES {
        let values = &values[table.start..][..table.values.len()];
        write_table(&mut text, table, values);
    }
    text.push_str("}\n");
    text
}

/// Longest line the tables are written with.
const WIDTH: usize = 108;

/// Writes entries with commas between them, and breaks lines before they exceed [`WIDTH`].
fn write_row(text: &mut String, row: &[String]) {
    text.push_str("\n        [");
    let mut column = 9;
    for (index, entry) in row.iter().enumerate() {
        if index > 0 {
            text.push(',');
            let fits = column + entry.len() + 3 <= WIDTH;
            text.push_str(if fits { " " } else { "\n         " });
            column = if fits { column + 2 } else { 9 };
        }
        text.push_str(entry);
        column += entry.len();
    }
    text.push(']');
}

fn write_table(text: &mut String, table: &WeightTableInfo, values: &[[i32; 2]]) {
    for line in table.docs {
        text.push_str("    ///");
        text.push_str(line);
        text.push('\n');
    }
    let columns = values.len() / table.rows;
    let rows = values.chunks(columns).map(|row| {
        row.iter().map(|[middlegame, endgame]| format!("s({middlegame}, {endgame})")).collect::<Vec<_>>()
    });
    let _ = write!(text, "    {} =", table.name);
    for row in rows {
        let line = row.join(", ");
        if table.rows > 1 {
            write_row(text, &row);
        } else if table.name.len() + line.len() + 10 <= WIDTH {
            let _ = write!(text, " [{line}]");
        } else {
            text.push_str(" [");
            let mut room = 0;
            for entry in &row {
                if room < entry.len() + 2 {
                    text.push_str("\n       ");
                    room = WIDTH - 7;
                }
                let _ = write!(text, " {entry},");
                room -= entry.len() + 2;
            }
            text.push_str("\n    ]");
        }
    }
    text.push_str(";\n");
}

#[cfg(test)]
mod tests {
    use crate::weights::TABLES;

    #[test]
    fn tables_follow_each_other() {
        let mut next = 0;
        for table in TABLES {
            assert_eq!(table.start, next, "{}", table.name);
            assert_eq!(table.values.len() % table.rows, 0, "{}", table.name);
            assert!(!table.docs.is_empty(), "{}", table.name);
            next += table.values.len();
        }
    }

    #[test]
    fn the_source_is_written_as_it_is() {
        let values: Vec<_> = TABLES
            .iter()
            .flat_map(|table| table.values)
            .map(|value| [value.middlegame(), value.endgame()])
            .collect();
        assert_eq!(super::source(&values), include_str!("weights.rs"));
    }
}
