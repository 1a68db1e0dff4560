//! The help of the whole program, and removed commands.

use crate::common::run;

#[test]
fn the_help_has_each_command_once_below_its_heading() {
    let help = run(&["--help"], "").out;
    let headings: Vec<_> = help.lines().filter(|line| line.ends_with(':')).collect();
    let expected = [
        "Matches and strength:",
        "Data and training:",
        "Games and tablebases:",
        "Servers:",
        "This program:",
        "Options:",
    ];
    assert_eq!(headings, expected);
    let position =
        |word: &str| help.find(&format!("\n  {word} ")).unwrap_or_else(|| panic!("{word}: {help}"));
    assert!(position("match") < position("datagen") && position("train") < position("replay"), "{help}");
    for command in ["match", "spsa", "datagen", "replay", "tablebase", "man", "help"] {
        assert_eq!(help.matches(&format!("\n  {command} ")).count(), 1, "{help}");
    }
}

#[test]
fn removed_commands_name_what_replaces_them() {
    for args in [&["magics", "--seed", "1"][..], &["conversion", "-"], &["count-curves"]] {
        let done = run(args, "");
        assert_eq!(done.status, Some(2));
        let start = format!("error: '{}' was removed: ", args[0]);
        assert!(done.err.starts_with(&start), "{}", done.err);
    }
    assert!(run(&["mach"], "").err.contains("similar"), "clap still helps with typing errors");
}
