//! Searches of positions, kept in a file so that none is done twice.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use sakmak_engine::score::MATE;
use sakmak_engine::{Limits, SearchRequest, SearchResult, Searcher};
use sakmak_eval::DtmTables;
use sakmak_files::output::AppendFile;
use sakmak_movegen::{Move, Position};
use serde::{Deserialize, Serialize};

use crate::settings::{HASH_MB, SearchSettings};

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The depth of the last finished iteration, in plies.
    pub depth: u32,
    /// The nodes, those of the look before it included.
    pub nodes: u64,
    /// The best move with its score in internal units for the side to move, then other moves with those of the look.
    pub moves: Vec<(Move, i32)>,
}

/// Searches positions; one for each thread.
pub struct PositionSearcher {
    searcher: Searcher,
    settings: SearchSettings,
}

impl PositionSearcher {
    /// A searcher with these settings.
    ///
    /// # Errors
    /// If there is no memory for its transposition table.
    pub fn new(settings: &SearchSettings, pairs: &DtmTables) -> Result<Self> {
        let searcher = Searcher::new(HASH_MB)?.with_dtm_tables(pairs);
        Ok(Self { searcher, settings: settings.clone() })
    }

    /// Searches a position: first a look with several lines, then its best move. The result depends on the position and
    /// the settings alone. `is_first` is set for the start position.
    ///
    /// # Errors
    /// If a search panicked.
    pub fn search(&mut self, position: &Position, is_first: bool) -> Result<Searched> {
        self.searcher.clear();
        let SearchSettings { nodes, look, lines, first_lines } = self.settings;
        let lines = if is_first { first_lines } else { lines };
        let limits = Limits { soft_nodes: Some(look), ..Limits::nodes(look.max(1) * 8) };
        let request = SearchRequest::new(position.clone(), limits);
        let looked = sound(self.searcher.search(&SearchRequest { multi_pv: lines, ..request }))?;
        let found = sound(self.searcher.search(&SearchRequest::new(position.clone(), Limits::nodes(nodes))))?;
        let best = found.best().context("a position without moves")?;
        let mut moves = vec![(best.mv, best.score)];
        let others = looked.moves.iter().take(lines).filter(|other| other.mv != best.mv);
        moves.extend(others.map(|other| (other.mv, other.score)));
        Ok(Searched { depth: found.depth, nodes: looked.nodes + found.nodes, moves })
    }
}

fn sound(result: SearchResult) -> Result<SearchResult> {
    match result.warnings.first() {
        Some(warning) => bail!("{warning}"),
        None => Ok(result),
    }
}

/// What the first line of a file of searches says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the file.
    pub searches: u32,
    /// Name and version of the engine.
    pub engine: String,
    /// Nodes of a short bench. It changes with the search and the evaluation.
    pub signature: u64,
    /// The settings.
    pub settings: SearchSettings,
}

/// A line of the file: key, depth, nodes, moves with scores.
#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    depth: u32,
    nodes: u64,
    moves: Vec<(String, i32)>,
}

/// A file of searches: lines of JSON. The order of the searches does not matter.
#[derive(Debug)]
pub struct SearchFile {
    file: AppendFile,
    known: HashMap<u64, Searched>,
}

impl SearchFile {
    /// Opens a file, or creates it. An incomplete last line is cut off.
    ///
    /// # Errors
    /// If the file is in use, damaged, or was made by another engine or with other settings.
    pub fn open(path: &Path, header: &Header) -> Result<Self> {
        let name = || path.display().to_string();
        let mut file = AppendFile::resume(path)?;
        let bytes = file.contents()?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = std::str::from_utf8(&bytes[..whole]).with_context(name)?;
        let mut lines = text.lines().enumerate();
        let mut known = HashMap::new();
        match lines.next() {
            None => {
                let first = line(header)?;
                ensure!(first.starts_with(&bytes), "{}: no file of searches", name());
                file.cut(0)?;
                file.append(&first)?;
            }
            Some((_, first)) => {
                let found: Header = serde_json::from_str(first)
                    .with_context(|| format!("{}: no file of searches", name()))?;
                if found != *header {
                    let [found, wanted] = [&found, header].map(serde_json::to_string);
                    bail!("{}: was made otherwise: {}, now {}", name(), found?, wanted?);
                }
            }
        }
        for (number, text) in lines {
            let (key, searched) = parsed(text).with_context(|| format!("{}, line {}", name(), number + 1))?;
            known.insert(key, searched);
        }
        // Not before it is known to be a file of searches.
        if whole > 0 {
            file.cut(whole as u64)?;
        }
        Ok(Self { file, known })
    }

    /// The number of searches.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The search of the position with this key.
    pub fn get(&self, key: u64) -> Option<&Searched> {
        self.known.get(&key)
    }

    /// Adds a search.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, key: u64, searched: Searched) -> Result<()> {
        let moves = searched.moves.iter().map(|(mv, score)| (mv.to_string(), *score)).collect();
        let Searched { depth, nodes, .. } = searched;
        self.file.append(&line(&Line { key: format!("{key:016x}"), depth, nodes, moves })?)?;
        self.known.insert(key, searched);
        Ok(())
    }
}

fn line(value: &impl Serialize) -> Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn parsed(text: &str) -> Result<(u64, Searched)> {
    let Line { key, depth, nodes, moves } = serde_json::from_str(text)?;
    ensure!(!moves.is_empty(), "no moves");
    let moves = moves.into_iter().map(|(mv, score)| {
        ensure!((-MATE..=MATE).contains(&score), "{mv} has the score {score}");
        Ok((Move::parse(&mv)?, score))
    });
    Ok((u64::from_str_radix(&key, 16)?, Searched { depth, nodes, moves: moves.collect::<Result<_>>()? }))
}
