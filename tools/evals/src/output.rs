//! The output of `evaluate`: a line of JSON for each position, which a later run can continue.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use sakmak_engine::analysis::Analysis;
use sakmak_files::output::AppendFile;
use serde::{Deserialize, Serialize};

use crate::input::Place;

/// A line of the output.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Report {
    Analysis {
        #[serde(flatten)]
        place: Place,
        rules: String,
        #[serde(flatten)]
        analysis: Analysis,
    },
    Fault {
        #[serde(flatten)]
        place: Place,
        input: String,
        error: String,
    },
}

/// The lines written.
pub(crate) enum Output<'a> {
    File(AppendFile),
    Stream(&'a mut dyn Write),
}

impl Output<'_> {
    pub(crate) fn add(&mut self, report: &Report) -> Result<()> {
        let line = serde_json::to_string(report)? + "\n";
        match self {
            Self::File(file) => Ok(file.append(line.as_bytes())?),
            Self::Stream(stream) => Ok(stream.write_all(line.as_bytes())?),
        }
    }

    pub(crate) fn finish(&mut self) -> Result<()> {
        match self {
            Self::File(file) => Ok(file.sync()?),
            Self::Stream(stream) => Ok(stream.flush()?),
        }
    }
}

/// What a line of an earlier run says about its position.
#[derive(Deserialize)]
pub(crate) struct EarlierLine {
    #[serde(flatten)]
    pub(crate) place: Place,
    pub(crate) fen: Option<String>,
    pub(crate) error: Option<String>,
}

/// The lines of an earlier run.
pub(crate) struct Earlier {
    path: PathBuf,
    lines: BufReader<File>,
    number: u64,
    left: u64,
}

impl Earlier {
    /// The file of an earlier run, cut off after its last complete line, and its lines.
    ///
    /// # Errors
    /// If the file cannot be read or was not written by this command.
    pub(crate) fn open(path: &Path) -> Result<(AppendFile, Self)> {
        let mut output = AppendFile::resume(path)?;
        let read = || File::open(path).with_context(|| path.display().to_string());
        let (mut lines, mut whole, mut bytes) = (0, 0, Vec::new());
        let mut reader = BufReader::new(read()?);
        loop {
            bytes.clear();
            let length = reader.read_until(b'\n', &mut bytes).with_context(|| path.display().to_string())?;
            let is_complete = bytes.ends_with(b"\n");
            if length > 0 && !bytes.starts_with(b"{") {
                bail!(
                    "{}: line {} was not written by this command; the file is left as it is",
                    path.display(),
                    lines + 1
                );
            }
            if !is_complete {
                break;
            }
            lines += 1;
            whole += length as u64;
        }
        output.cut(whole)?;
        let earlier = Self { path: path.to_owned(), lines: BufReader::new(read()?), number: 0, left: lines };
        Ok((output, earlier))
    }

    /// Whether all lines were taken.
    pub(crate) fn is_at_end(&self) -> bool {
        self.left == 0
    }

    /// The next line, which must be about this place.
    ///
    /// # Errors
    /// If it is about another one.
    pub(crate) fn next(&mut self, place: &Place) -> Result<EarlierLine> {
        let (mut bytes, path) = (Vec::new(), self.path.display().to_string());
        self.lines.read_until(b'\n', &mut bytes).with_context(|| path.clone())?;
        self.number += 1;
        self.left -= 1;
        let line = serde_json::from_slice::<EarlierLine>(&bytes)
            .ok()
            .with_context(|| format!("{path}: line {} was not written by this command", self.number))?;
        ensure!(line.place == *place, "{}", self.mismatch(place));
        Ok(line)
    }

    /// The error of a last line that does not belong to the input.
    pub(crate) fn mismatch(&self, place: &Place) -> String {
        let path = self.path.display();
        format!(
            "{path}: line {} is not about {place} of these files: give the same files and options",
            self.number
        )
    }

    /// The number of the last line taken.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }
}
