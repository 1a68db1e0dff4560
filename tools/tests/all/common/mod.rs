//! Runs the program and collects its output.

// Each test program uses only a part of this.
#![allow(dead_code)]

#[cfg(unix)]
pub(crate) mod arena;
#[cfg(unix)]
pub(crate) mod engine;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Exit status and output of a run.
pub(crate) struct Done {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Done {
    /// The run, which must have succeeded.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.status, Some(0), "{}{}", self.out, self.err);
        self
    }

    /// The run, which must have failed with this status and a message that contains `text`.
    #[track_caller]
    pub(crate) fn fails(self, status: i32, text: &str) -> Self {
        assert_eq!(self.status, Some(status), "no failure '{text}': {}{}", self.out, self.err);
        self.says(text)
    }

    /// The run, whose messages must contain `text`.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.err.contains(text), "no '{text}' in: {}", self.err);
        self
    }
}

/// Runs the program with text on its standard input.
pub(crate) fn run(args: &[&str], input: &str) -> Done {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sakmak-tools"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // On its own thread, as the program may write before it has read everything, or end without reading.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the input was written");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Done { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A file in its own directory, both removed when dropped.
pub(crate) struct TempFile {
    path: PathBuf,
    _directory: TempDir,
}

impl TempFile {
    pub(crate) fn new(name: &str, contents: impl AsRef<[u8]>) -> Self {
        let file = Self::absent(name);
        fs::write(&file.path, contents).expect("a temporary file");
        file
    }

    /// A path without a file, for a program to write to.
    pub(crate) fn absent(name: &str) -> Self {
        let directory = TempDir::with_prefix("sakmak-").expect("a temporary directory");
        Self { path: directory.path().join(name), _directory: directory }
    }

    pub(crate) fn path(&self) -> &str {
        self.path.to_str().expect("a plain name")
    }

    pub(crate) fn text(&self) -> String {
        fs::read_to_string(&self.path).expect("the file")
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).expect("the file")
    }
}

/// A directory, removed when dropped.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::with_prefix("sakmak-").expect("a temporary directory"))
    }

    pub(crate) fn path(&self) -> &str {
        self.0.path().to_str().expect("a plain name")
    }

    /// A path in the directory.
    pub(crate) fn file(&self, name: &str) -> String {
        format!("{}/{name}", self.path())
    }
}

/// The path of a file of the measuring data beside the checkout; `None` if it is missing.
pub(crate) fn shared(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data").join(name);
    path.exists().then(|| path.to_str().expect("a plain name").to_owned())
}
