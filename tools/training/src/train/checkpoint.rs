//! Checkpoints: the whole state of a run, to resume it exactly.
//!
//! Format: `SAKMAKTR`, the length of a JSON text (8 bytes), the text, the optimizer's floats, a CRC-32 of all that.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use sakmak_files::output::OutputFile;
use serde::{Deserialize, Serialize};

use super::optimizer::Optimizer;
use super::{EpochLoss, TrainSettings};

pub(super) const MARK: &str = "SAKMAKTR";
const CHECKSUM: usize = 4;

/// The JSON text of a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CheckpointText {
    pub(super) settings: TrainSettings,
    /// Names of the files of positions, and their numbers of positions.
    pub(super) files: Vec<(String, u64)>,
    pub(super) threads: usize,
    /// Name of the file that the run started from, empty for random parameters; `None` in an older checkpoint.
    #[serde(default)]
    pub(super) start: Option<String>,
    pub(super) steps: u64,
    pub(super) losses: Vec<EpochLoss>,
}

impl CheckpointText {
    /// How a run differs from that of the checkpoint, in words; `None` if it can be resumed from it. `start` may be
    /// empty, as the checkpoint has the parameters.
    pub(super) fn difference(
        &self,
        settings: &TrainSettings,
        files: &[(String, u64)],
        threads: usize,
        start: &str,
    ) -> Option<String> {
        let values = |settings: &TrainSettings| match serde_json::to_value(settings) {
            Ok(serde_json::Value::Object(values)) => values,
            _ => serde_json::Map::new(),
        };
        let (before, now) = (values(&self.settings), values(settings));
        let mut differences: Vec<String> = before
            .iter()
            .filter_map(|(name, value)| {
                let other = now.get(name).filter(|other| *other != value)?;
                Some(format!("{} ({value}, now {other})", name.replace('_', " ")))
            })
            .collect();
        if differences.is_empty() && self.settings != *settings {
            differences.push("settings".to_owned());
        }
        if self.files != files {
            let list = |files: &[(String, u64)]| {
                let words = files.iter().map(|(name, positions)| format!("{name}, {positions} positions"));
                words.collect::<Vec<_>>().join("; ")
            };
            differences.push(format!("files ({}, now {})", list(&self.files), list(files)));
        }
        if self.threads != threads {
            differences.push(format!("threads ({}, now {threads})", self.threads));
        }
        match self.start.as_deref() {
            Some("") if !start.is_empty() => differences.push(format!("start (random, now {start})")),
            Some(before) if !start.is_empty() && before != start => {
                differences.push(format!("start ({before}, now {start})"));
            }
            _ => {}
        }
        (!differences.is_empty()).then(|| differences.join(", "))
    }
}

pub(super) fn write(file: &OutputFile, text: &CheckpointText, optimizer: &Optimizer) -> Result<()> {
    const FAILED: &str = "the checkpoint cannot be written";
    let json = serde_json::to_vec(text).context(FAILED)?;
    let mut bytes = MARK.as_bytes().to_vec();
    bytes.extend((json.len() as u64).to_le_bytes());
    bytes.extend(json);
    for floats in [&optimizer.parameters, &optimizer.means, &optimizer.squares] {
        bytes.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    let mut draft = file.draft()?;
    draft.write_all(&bytes).context(FAILED)?;
    draft.commit()?;
    Ok(())
}

/// Reads a checkpoint; `None` if there is no file, or it is empty.
pub(super) fn read(path: &Path) -> Result<Option<(CheckpointText, Optimizer)>> {
    let bytes = match fs::read(path) {
        Ok(bytes) if bytes.is_empty() => return Ok(None),
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).context("the checkpoint cannot be read"),
    };
    decode(&bytes).context("the checkpoint is damaged, or none").map(Some)
}

fn decode(bytes: &[u8]) -> Option<(CheckpointText, Optimizer)> {
    let (body, checksum) = bytes.split_last_chunk::<CHECKSUM>()?;
    if *checksum != crc32fast::hash(body).to_le_bytes() {
        return None;
    }
    let (length, rest) = body.strip_prefix(MARK.as_bytes())?.split_first_chunk()?;
    let (json, floats) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let text: CheckpointText = serde_json::from_slice(json).ok()?;
    let floats: Vec<f32> = floats.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let wanted = super::Layout { width: text.settings.width }.parameters();
    let mut parts = floats.chunks_exact(wanted).map(<[f32]>::to_vec);
    let (parameters, means, squares) = (parts.next()?, parts.next()?, parts.next()?);
    let steps = text.steps;
    Some((text, Optimizer { parameters, means, squares, steps }))
}
