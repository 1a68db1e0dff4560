//! Files of examples in `tests/data`.

/// The lines of a file that are neither empty nor comments.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

/// The lines of a perft suite, `RECORD ;D1 nodes ;D2 nodes ...`: each record with depths and nodes.
///
/// # Panics
/// If a line has another form.
pub fn perft_suite(text: &str) -> impl Iterator<Item = (&str, Vec<(u32, u64)>)> {
    lines(text).map(|line| {
        let mut columns = line.split(" ;");
        let record = columns.next().expect("a record");
        let depth = |column: &str| {
            let (depth, nodes) = column.strip_prefix('D')?.split_once(' ')?;
            Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
        };
        let depths = columns.map(|column| depth(column).unwrap_or_else(|| panic!("'{column}' in {line}")));
        (record, depths.collect())
    })
}
