//! The command `puzzles`: a list for the page, and its check.

use std::fs;

use crate::common::{Folder, run};

const HEADER: &str = concat!(
    r#"{"puzzles":1,"engine":"Sakmak","signature":1,"seed":1,"#,
    r#""settings":{"nodes":1,"margin":0.2,"mistake":0.2,"moves":7},"#,
    r#""files":[],"skip":0,"rescore":0,"tablebases":[]}"#
);
/// A maa forks the khun and a rua.
const FORK: &str = concat!(
    r#"{"fen":"2r5/5k2/p7/p7/P1N1p3/P3P3/1S6/K7 w - - 1 41","#,
    r#""mistake":{"fen":"7r/5k2/p7/p7/P1N1p3/P3P3/1S6/K7 b - - 0 40","mv":"h8c8","before":0.1},"#,
    r#""moves":["c4d6","f7e7","d6c8"],"goal":"win","themes":["maa-fork"],"#,
    r#""margins":[],"nodes":1,"source":{"game":0,"ply":0},"rating":{"elo":700,"solved":[]}}"#
);
const TALLY: &str = r#"{"tally":{"games":1,"positions":1,"candidates":1,"kept":1,"rejected":{}}}"#;

#[test]
fn a_list_is_selected_and_checked() {
    let folder = Folder::new();
    let (mined, list, page, log) =
        (folder.file("mined"), folder.file("list"), folder.file("page"), folder.file("log"));
    fs::write(&mined, [HEADER, FORK, TALLY, ""].join("\n")).expect("a file");
    run(&["puzzles", "select", &mined], "").fails(2, "--list");
    let selected = run(&["puzzles", "select", &mined, &mined, "--list", &list, "--page", &page], "").ok();
    assert!(selected.out.contains("1  duplicates"), "{}", selected.out);
    // The command replaces its own list, and nothing else.
    run(&["puzzles", "select", &list, "--list", &list], "").ok();
    fs::write(folder.file("other"), "other").expect("a file");
    run(&["puzzles", "select", &list, "--list", &folder.file("other")], "").fails(2, "exists already");

    let check = |path: &str| run(&["puzzles", "check", path, "--nodes", "5000", "--log", &log], "");
    assert_eq!(check(&page).ok().out, "1 puzzles checked, 0 wrong\n");
    // The log says that the puzzle is wrong, so that it is not checked again.
    let text = fs::read_to_string(&log).expect("a log");
    assert_eq!(text.lines().count(), 2, "{text}");
    fs::write(&log, text.replace(" right", " move 1: wrong")).expect("a file");
    assert_eq!(check(&page).status, Some(1));
    run(&["puzzles", "check", &page, "--nodes", "6000", "--log", &log], "").fails(2, "6000 nodes");
    // A list without the wrong ones.
    let select = |log: &str| run(&["puzzles", "select", &mined, "--list", &list, "--check", log], "");
    let selected = select(&log).ok().out;
    assert!(selected.contains("1  found wrong by a check") && selected.contains("0 selected"), "{selected}");
    select(&mined).fails(2, "not a log");
    select(&folder.file("no log")).fails(2, "no log");

    // The list of a page is the beginning of the next one.
    let grown = folder.file("grown");
    run(&["puzzles", "select", &page, &mined, "--page", &grown], "").ok();
    let index = |page: &str| fs::read_to_string(format!("{page}/index.json")).expect("an index");
    assert_eq!(index(&grown), index(&page));

    let wrong = FORK.replace(r#""c4d6","f7e7","d6c8""#, r#""c4b6""#);
    fs::write(&mined, [HEADER, &wrong, TALLY, ""].join("\n")).expect("a file");
    let done = run(&["puzzles", "check", &mined, "--nodes", "5000"], "").fails(1, "c4d6 is better");
    assert_eq!(done.out, "1 puzzles checked, 1 wrong\n");
    let counted = FORK.replace("maa-fork", "beat-count");
    fs::write(&mined, [HEADER, &counted, TALLY, ""].join("\n")).expect("a file");
    run(&["puzzles", "check", &mined, "--nodes", "5000"], "").fails(1, "found at one node");
    fs::remove_file(folder.file("page/part-000.json")).expect("a part");
    run(&["puzzles", "check", &page], "").fails(2, "part-000.json");
}
