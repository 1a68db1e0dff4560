//! The commands `sakmak-tools evals ...`.

use serde_json::Value;

use crate::common::{Done, TempFile, run};

/// Two searches of one position in different ways of writing it, one with a count and the end of a game.
const POSITIONS: &str = "\
rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1
rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w 0 9
7k/7m/8/8/8/8/4R3/4K3 b - 128 9 80
7k/7m/8/8/8/8/4R3/4K3 b - - 9 80
R6k/8/6K1/8/8/8/8/8 b - - 0 1
";

fn evals(args: &[&str], input: &str) -> Done {
    run(&[&["evals"], args].concat(), input)
}

fn evaluated(nodes: &str, multi_pv: &str) -> TempFile {
    let done = run(&["evaluate", "--nodes", nodes, "--multipv", multi_pv, "--threads", "2"], POSITIONS).ok();
    TempFile::new("evaluated.jsonl", done.out)
}

#[test]
fn evaluations_go_into_a_store_and_out_again() {
    let (shallow, deep, wide) = (evaluated("200", "1"), evaluated("3000", "1"), evaluated("1000", "3"));
    let store = TempFile::absent("store");
    let import = |files: &[&TempFile]| {
        let paths: Vec<_> = files.iter().map(|file| file.path()).collect();
        evals(&[&["import", "--store", store.path()], &paths[..]].concat(), "")
    };
    import(&[&shallow])
        .ok()
        .says("4 evaluations read: 3 new positions, 0 changed, 1 had them; 1 lines without a search");
    import(&[&wide, &deep]).ok().says("3 positions in the store");
    let exported = evals(&["export", "--store", store.path()], "").ok().out;
    let lines: Vec<Value> = exported.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 3, "{exported}");
    for line in &lines {
        let evaluations = line["evals"].as_array().expect("a list");
        // The limit of nodes is checked every 1,024 nodes.
        let knodes = evaluations.last().expect("one")["knodes"].as_u64();
        assert!(matches!(knodes, Some(3 | 4)), "{line}");
        assert!(evaluations.len() <= 2, "{line}");
    }
    assert!(exported.contains(r#""fen":"7k/7m/8/8/8/8/4R3/4K3 b - 128 9""#), "{exported}");

    // The same without a store, in any order, and from what was exported.
    let paths = [&deep, &shallow, &wide].map(|file| file.path());
    assert_eq!(evals(&[&["merge"], &paths[..]].concat(), "").ok().out, exported);
    let out = TempFile::absent("out.jsonl");
    evals(&["merge", "--out", out.path()], &exported).ok();
    assert_eq!(String::from_utf8(out.bytes()).expect("UTF-8"), exported);
    evals(&["export", "--store", store.path(), "--out", out.path()], "").fails(2, "exists already");

    // The file for the engine has the same positions; it is checked against the store, and damage is found.
    let known = TempFile::absent("known");
    let export = |path: &str| evals(&["export", "--store", store.path(), "--engine", "--out", path], "");
    export(known.path()).ok().says("3 positions");
    export(known.path()).fails(2, "exists already");
    evals(&["export", "--store", store.path(), "--engine"], "").fails(2, "--out");
    let check = || evals(&["check", known.path(), "--store", store.path()], "");
    assert_eq!(check().ok().out, "3 positions of makruk fairy-stockfish, sound\n");
    let mut bytes = known.bytes();
    bytes.pop();
    let cut = TempFile::new("cut", &bytes);
    evals(&["check", cut.path()], "").fails(2, "bytes instead of");

    let fen = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 5 77";
    let queried = evals(&["query", "--store", store.path(), fen], "").ok().out;
    assert!(exported.contains(&queried) && queried.lines().count() == 1, "{queried}");
    let none = "7k/7m/8/8/8/8/4R3/4K3 b - 128 10 80";
    let done =
        evals(&["query", "--store", store.path()], &format!("{none}\n8/8 w\n")).fails(1, "line 2: error: ");
    assert_eq!(done.out, "{\"fen\":\"7k/7m/8/8/8/8/4R3/4K3 b - 128 10\",\"evals\":[]}\n");
}

#[test]
fn an_opening_book_goes_into_a_store() {
    let store = TempFile::absent("store");
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/book/tests/small.book");
    let import = ["import", "--store", store.path(), "--book", book];
    let done = evals(&import, "").ok();
    let exported = evals(&["export", "--store", store.path()], "").ok().out;
    done.says(&format!("{} positions in the store", exported.lines().count()));
    assert!(exported.lines().count() > 1 && exported.contains("w -\",\"evals\""), "{exported}");
    evals(&import, "").ok().says(" 0 new positions, 0 changed");
    let other = TempFile::absent("other");
    evals(&["import", "--store", other.path(), "--variant", "cambodian", "--book", book], "")
        .fails(2, "has the rules");
}

#[test]
fn lines_under_other_rules_are_read_again() {
    for rules in [
        &["--ruleset", "cutechess"][..],
        &["--ruleset", "wikipedia", "--rule-parts", "Repetition=threefold"],
        &["--variant", "cambodian"],
        &["--variant", "cambodian", "--ruleset", "cutechess"],
    ] {
        let lines =
            run(&[&["evaluate", "--depth", "1", "--threads", "1"], rules].concat(), POSITIONS).ok().out;
        let shared = evals(&[&["merge"], rules].concat(), &lines).ok().out;
        assert!((3..=4).contains(&shared.lines().count()), "{shared}");
        assert!(shared.lines().all(|line| line.contains("\"rules\":\"")), "{shared}");
        assert_eq!(evals(&[&["merge"], rules].concat(), &shared).ok().out, shared);
    }
}

#[test]
fn wrong_lines_and_files_are_named() {
    let store = TempFile::absent("store");
    let line = r#"{"fen":"rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w -","evals":[{"pvs":[{"cp":1,"line":"e3e4"}],"knodes":1,"depth":1}]}"#;
    let input = format!("{line}\n\n{}\nnonsense\n", line.replace("e3e4", "e3e5"));
    let import = ["import", "--store", store.path()];
    evals(&import, &input)
        .fails(1, "standard input: line 3: error: line 1: ")
        .says("line 4: error: not a line")
        .says("1 new positions");
    // The rules of a store stay.
    let other = TempFile::absent("other");
    evals(&["import", "--store", other.path(), "--ruleset", "wikipedia"], "").ok();
    evals(&["import", "--store", other.path()], line).fails(1, "not 'makruk wikipedia'");
    evals(&["import", "--store", store.path(), "missing"], "").fails(2, "missing");
    evals(&["query", "--store", "missing", "8/8 w"], "").fails(2, "missing");
    let text = TempFile::new("text", "no store");
    evals(&["import", "--store", text.path()], "").fails(2, "is no store of evaluations");
    assert_eq!(text.bytes(), b"no store");
}
