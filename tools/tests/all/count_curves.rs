//! The command `count-curves`.

use crate::common::{Done, TempFile, run};

fn curves(args: &[&str]) -> Done {
    run(&[&["count-curves"], args].concat(), "")
}

/// The evaluations of the rows of a table.
fn rows(done: &Done) -> Vec<Vec<f64>> {
    let numbers = |line: &str| line.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
    done.out.lines().skip(1).map(numbers).collect()
}

#[test]
fn the_evaluation_falls_with_the_plies_left() {
    let plot = TempFile::absent("counts.svg");
    let done = curves(&["--plot", plot.path()]);
    assert_eq!(done.status, Some(0), "{}", done.err);
    let rows = rows(&done);
    assert_eq!(rows.len(), 10, "{}", done.out);
    for row in rows {
        assert_eq!(row.len(), 9, "{}", done.out);
        assert!(row[0] > row[8], "the whole count is worth more than eight plies: {row:?}");
    }
    assert_eq!(plot.text().matches("<polyline").count(), 10);
}

#[test]
fn other_positions_have_their_names_and_faults_their_lines() {
    let file = TempFile::new("ending.epd", b"8/8/2mR4/8/8/8/2k5/K7 w - - 0 60 id \"one\";\n");
    let done = curves(&[file.path()]);
    assert!(done.status == Some(0) && done.out.contains("\none  "), "{}", done.err);
    let file = TempFile::new("wrong.epd", b"# a comment\n8/8/2mR4/8/8/8/2k5/8 w - - 0 60\n");
    let done = curves(&[file.path()]);
    assert!(done.status == Some(1) && done.err.contains("line 2"), "{}", done.err);
    let done = curves(&["--network", file.path()]);
    assert!(done.status == Some(1) && done.err.contains("wrong.epd"), "{}", done.err);
    let none = TempFile::new("none.epd", b"");
    assert_eq!(curves(&[none.path()]).status, Some(1));
}
