//! The README's examples work as written.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sakmak_engine::uci::{Output, run};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The contents of the README's code blocks in `language`.
fn blocks(language: &str) -> Vec<String> {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let mut parts = readme.split("```").skip(1).step_by(2);
    let mut found = Vec::new();
    for block in &mut parts {
        if let Some(text) = block.strip_prefix(language).and_then(|rest| rest.strip_prefix('\n')) {
            found.push(text.to_owned());
        }
    }
    found
}

/// The words of a command line, with double quotes.
fn words(line: &str) -> Vec<String> {
    line.split('"')
        .enumerate()
        .flat_map(|(index, part)| {
            let words: Vec<&str> =
                if index % 2 == 1 { vec![part] } else { part.split_whitespace().collect() };
            words.into_iter().map(str::to_owned).collect::<Vec<_>>()
        })
        .collect()
}

/// Whether a line is the same on every machine: those with times are not.
fn is_exact(line: &str) -> bool {
    !line.starts_with("Time: ") && !line.starts_with("Nodes/second: ")
}

#[test]
fn commands_print_what_is_shown() {
    let blocks = blocks("console");
    assert!(blocks.len() >= 4);
    for block in blocks {
        let (command, expected) = block.split_once('\n').unwrap();
        let args = words(command.strip_prefix("$ sakmak ").unwrap());
        let output = Command::new(env!("CARGO_BIN_EXE_sakmak"))
            .args(&args)
            .current_dir(root())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success(), "{command}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(!text.is_empty(), "{command}");
        if !expected.is_empty() {
            let exact = |text: &str| {
                text.lines().filter(|line| is_exact(line)).map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(exact(&text), exact(expected), "{command}");
        }
    }
}

#[test]
fn the_session_runs_as_shown() {
    let blocks = blocks("uci");
    assert_eq!(blocks.len(), 1);
    for block in blocks {
        let typed: String =
            block.lines().filter_map(|line| line.strip_prefix("> ")).map(|l| format!("{l}\n")).collect();
        let output = Output::buffer();
        run(Cursor::new(typed), output.clone()).unwrap();
        let text = output.text();
        let mut answers = text.lines();
        for expected in block.lines().filter_map(|line| line.strip_prefix("< ")) {
            assert!(answers.any(|line| line.starts_with(expected)), "{expected} in {text}");
        }
    }
}

#[test]
fn programs_are_installed_or_built_before_they_are_used() {
    let mut built = Vec::new();
    for line in blocks("sh").iter().flat_map(|block| block.lines()) {
        let line = line.split(" #").next().unwrap_or_default();
        match line.trim_end() {
            "cargo install --locked --path engine" => built.push("sakmak"),
            "cargo install --locked --path tools" => built.push("sakmak-tools"),
            build if build.ends_with("--target-dir target/tune") => built.push("target/tune/release/sakmak"),
            _ => {}
        }
        for word in line.split([' ', '=', ',', '"']) {
            let file = word.rsplit('/').next().unwrap_or_default();
            let is_ours = ["sakmak", "sakmak-tools"].contains(&file);
            assert!(!is_ours || built.contains(&word), "{word} in: {line}");
        }
    }
    assert_eq!(built.len(), 3);
}
