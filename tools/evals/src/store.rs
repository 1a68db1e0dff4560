//! Evaluations of many positions in one file: an SQLite database.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, OptionalExtension, Statement};
use sakmak_engine::score::Score;
use sakmak_movegen::{Move, Rules};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::record::{Evaluation, Pv, Record};
use sakmak_engine::position_key::PositionKey;
use sakmak_engine::rules_key::{read_rules_key, rules_key};

/// SQLite's `application_id` of a store: `SkEv`.
const APPLICATION: i32 = i32::from_be_bytes(*b"SkEv");
/// SQLite's `user_version`: the version of the format.
const VERSION: i32 = 1;
const SCHEMA: &str = "
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE evals (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
";
const FIND: &str = "SELECT value FROM evals WHERE key = ?";
/// Cache of pages, in KiB.
const CACHE: i32 = 64 * 1024;
/// A store is written anew, without gaps, when an import has changed at least one record of this number.
const GAPS: u64 = 10;

/// Why a store cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The database reports an error.
    #[error("{}: {error}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        error: rusqlite::Error,
    },
    /// The file is another one.
    #[error("{}: is no store of evaluations", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file is of a later version of the format.
    #[error("{}: is of version {found} of the format; this program reads version {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i32,
    },
    /// A record is damaged.
    #[error("{}: a record is damaged", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
}

/// Evaluations of positions under one set of rules, by their keys.
pub struct Store {
    path: PathBuf,
    database: Connection,
    rules: Rules,
}

/// What an import has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Positions that were not there.
    pub new: u64,
    /// Positions with other evaluations than before.
    pub changed: u64,
    /// Positions that had what was imported, or better.
    pub same: u64,
}

/// An evaluation as it is stored: depth, kilonodes, lines.
#[derive(Serialize, Deserialize)]
struct Stored(u32, u64, Vec<StoredPv>);

/// Whether the score is a mate, the score of the side to move, and the moves.
#[derive(Serialize, Deserialize)]
struct StoredPv(bool, i32, Vec<u16>);

fn to_value(evaluations: &[Evaluation]) -> Result<Vec<u8>, rmp_serde::encode::Error> {
    let stored: Vec<_> = evaluations
        .iter()
        .map(|evaluation| {
            let pvs = evaluation.pvs.iter().map(|pv| {
                let (is_mate, score) = match pv.score {
                    Score::Centipawns(cp) => (false, cp),
                    Score::Mate(moves) => (true, moves),
                };
                StoredPv(is_mate, score, pv.moves.iter().map(|mv| mv.bits()).collect())
            });
            Stored(evaluation.depth, evaluation.knodes, pvs.collect())
        })
        .collect();
    rmp_serde::to_vec(&stored)
}

fn from_value(bytes: &[u8]) -> Option<Vec<Evaluation>> {
    let stored: Vec<Stored> = rmp_serde::from_slice(bytes).ok()?;
    let evaluations = stored.into_iter().map(|Stored(depth, knodes, pvs)| {
        let pvs = pvs.into_iter().map(|StoredPv(is_mate, score, moves)| {
            let score = if is_mate { Score::Mate(score) } else { Score::Centipawns(score) };
            let moves = moves.into_iter().map(Move::from_bits).collect::<Option<Vec<_>>>()?;
            Some(Pv { score, moves })
        });
        Some(Evaluation { depth, knodes, pvs: pvs.collect::<Option<Vec<_>>>()? })
    });
    evaluations.collect()
}

impl Store {
    /// Opens a store to read it.
    ///
    /// # Errors
    /// If the file is missing or no store.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Self::with(path, flags, None)
    }

    /// Opens a store to change it. A new one is created if the file is missing or empty, with these rules.
    ///
    /// # Errors
    /// If the file is no store or cannot be written.
    pub fn create(path: &Path, rules: Rules) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Self::with(path, flags, Some(rules))
    }

    fn with(path: &Path, flags: OpenFlags, new: Option<Rules>) -> Result<Self, StoreError> {
        let failed = |error| database_error(path, error);
        let database = Connection::open_with_flags(path, flags).map_err(failed)?;
        database.pragma_update(None, "cache_size", -CACHE).map_err(failed)?;
        let number = |name: &str| database.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        let is_empty = number("schema_version").map_err(failed)? == 0;
        if let Some(rules) = new.filter(|_| is_empty && number("application_id") == Ok(0)) {
            create_tables(&database, rules).map_err(failed)?;
        }
        if number("application_id").map_err(failed)? != APPLICATION {
            return Err(StoreError::Foreign { path: path.to_owned() });
        }
        let found = number("user_version").map_err(failed)?;
        if found != VERSION {
            return Err(StoreError::Version { path: path.to_owned(), found });
        }
        let text: String = database
            .query_row("SELECT value FROM meta WHERE name = 'rules'", [], |row| row.get(0))
            .map_err(failed)?;
        let damaged = |_| StoreError::Damaged { path: path.to_owned() };
        let rules = read_rules_key(&text).map_err(damaged)?;
        Ok(Self { path: path.to_owned(), database, rules })
    }

    /// The rules of the positions.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The number of positions.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn positions(&self) -> Result<u64, StoreError> {
        let count = self.database.query_row("SELECT COUNT(*) FROM evals", [], |row| row.get::<_, i64>(0));
        Ok(count.map_err(|error| database_error(&self.path, error))?.unsigned_abs())
    }

    /// The evaluations of a position; `None` if there are none.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn get(&self, key: &PositionKey) -> Result<Option<Record>, StoreError> {
        let query = self.database.prepare(FIND);
        let found = query.and_then(|mut query| find(&mut query, &key.to_bytes()));
        let found = found.map_err(|error| database_error(&self.path, error))?;
        let Some(bytes) = found else { return Ok(None) };
        let evaluations = from_value(&bytes).ok_or_else(|| self.damaged())?;
        Ok(Some(Record { key: key.clone(), evaluations }))
    }

    /// Merges records into the store, all of them or in case of an error none.
    ///
    /// # Errors
    /// If the file cannot be written or is damaged.
    pub fn merge(&mut self, records: impl IntoIterator<Item = Record>) -> Result<Imported, StoreError> {
        // Neighbours in the file come one after the other.
        let mut records: Vec<_> = records.into_iter().map(|record| (record.key.to_bytes(), record)).collect();
        records.sort_by(|(one, _), (other, _)| one.cmp(other));
        let path = &self.path;
        let failed = |error| database_error(path, error);
        let transaction = self.database.transaction().map_err(failed)?;
        let mut merge = Merge {
            path,
            find: transaction.prepare(FIND).map_err(failed)?,
            insert: transaction.prepare("INSERT OR REPLACE INTO evals VALUES (?, ?)").map_err(failed)?,
            imported: Imported::default(),
        };
        for (key, record) in records {
            merge.add(&key, record)?;
        }
        let imported = merge.imported;
        drop(merge);
        transaction.commit().map_err(failed)?;
        Ok(imported)
    }

    /// Writes the file anew without gaps if this many records were added or changed and that is much of the store.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn close_gaps(&mut self, imported: Imported) -> Result<(), StoreError> {
        if imported.new + imported.changed > self.positions()? / GAPS {
            self.database.execute_batch("VACUUM").map_err(|error| database_error(&self.path, error))?;
        }
        Ok(())
    }

    /// Passes all records to `visit` in the order of their packed keys, until it returns an error.
    ///
    /// # Errors
    /// Those of `visit`, and if the file cannot be read or is damaged.
    pub fn for_each<E: From<StoreError>>(
        &self,
        mut visit: impl FnMut(Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |error| database_error(&self.path, error);
        let mut query = self.database.prepare("SELECT key, value FROM evals ORDER BY key").map_err(failed)?;
        let mut rows = query.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let [key, value] =
                [row.get_ref(0), row.get_ref(1)].map(|column| column.and_then(|value| Ok(value.as_blob()?)));
            let key = PositionKey::from_bytes(key.map_err(failed)?);
            let evaluations = from_value(value.map_err(failed)?);
            let (Some(key), Some(evaluations)) = (key, evaluations) else {
                return Err(self.damaged().into());
            };
            visit(Record { key, evaluations })?;
        }
        Ok(())
    }

    fn damaged(&self) -> StoreError {
        StoreError::Damaged { path: self.path.clone() }
    }
}

fn database_error(path: &Path, error: rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => StoreError::Foreign { path },
        _ => StoreError::Database { path, error },
    }
}

fn create_tables(database: &Connection, rules: Rules) -> rusqlite::Result<()> {
    database.execute_batch(&format!("BEGIN; {SCHEMA}"))?;
    database.execute("INSERT INTO meta VALUES ('rules', ?)", [rules_key(rules)])?;
    database.pragma_update(None, "application_id", APPLICATION)?;
    database.pragma_update(None, "user_version", VERSION)?;
    database.execute_batch("COMMIT")
}

fn find(query: &mut Statement<'_>, key: &[u8]) -> rusqlite::Result<Option<Vec<u8>>> {
    query.query_row([key], |row| row.get(0)).optional()
}

/// A merge of records, within one transaction.
struct Merge<'a> {
    path: &'a Path,
    find: Statement<'a>,
    insert: Statement<'a>,
    imported: Imported,
}

impl Merge<'_> {
    fn add(&mut self, key: &[u8], record: Record) -> Result<(), StoreError> {
        let failed = |error| database_error(self.path, error);
        let damaged = || StoreError::Damaged { path: self.path.to_owned() };
        let before = find(&mut self.find, key).map_err(failed)?;
        let mut merged = Record { key: record.key.clone(), evaluations: Vec::new() };
        if let Some(bytes) = &before {
            merged.evaluations = from_value(bytes).ok_or_else(damaged)?;
        }
        merged.merge(record);
        let after = to_value(&merged.evaluations).map_err(|_| damaged())?;
        match before {
            None => self.imported.new += 1,
            Some(before) if before == after => {
                self.imported.same += 1;
                return Ok(());
            }
            Some(_) => self.imported.changed += 1,
        }
        self.insert.execute((key, after)).map(drop).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use sakmak_movegen::{Ruleset, Variant};

    use super::*;

    fn record(fen: &str, cp: i32, depth: u32) -> Record {
        let (key, position) = PositionKey::read(fen, Rules::default()).unwrap();
        let moves = vec![position.legal_moves()[0]];
        let pvs = vec![Pv { score: Score::Centipawns(cp), moves }];
        Record { key, evaluations: vec![Evaluation { depth, knodes: 7, pvs }] }
    }

    const FENS: [&str; 3] = [
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w",
        "7k/7m/8/8/8/8/4R3/4K3 b",
        "7k/7m/8/8/8/8/4R3/4K3 b - 128 9 80",
    ];

    #[test]
    fn records_come_back_and_are_merged() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("store");
        let mut store = Store::create(&path, Rules::default()).unwrap();
        let first = FENS.map(|fen| record(fen, -30, 9));
        let imported = store.merge(first.clone()).unwrap();
        assert_eq!(imported, Imported { new: 3, ..Imported::default() });
        store.close_gaps(imported).unwrap();
        let deeper = record(FENS[2], -40_000, 12);
        let imported = store.merge([first[0].clone(), deeper.clone(), record(FENS[1], 0, 3)]).unwrap();
        assert_eq!(imported, Imported { new: 0, changed: 1, same: 2 });
        drop(store);

        let store = Store::open(&path).unwrap();
        assert_eq!(store.positions().unwrap(), 3);
        assert_eq!(store.get(&first[1].key).unwrap().as_ref(), Some(&first[1]));
        assert_eq!(store.get(&deeper.key).unwrap(), Some(deeper.clone()));
        assert_eq!(store.get(&record("7k/7m/8/8/8/8/4R3/4K3 w", 0, 1).key).unwrap(), None);
        let mut all = Vec::new();
        store
            .for_each(|record| {
                all.push(record);
                Ok::<(), StoreError>(())
            })
            .unwrap();
        let mut expected = vec![first[0].clone(), first[1].clone(), deeper];
        expected.sort_by_key(|record| record.key.to_bytes());
        assert_eq!(all, expected);
    }

    #[test]
    fn other_files_are_refused_and_left_as_they_are() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name| directory.path().join(name);
        let error = |path: &Path| Store::create(path, Rules::default()).err().unwrap().to_string();
        std::fs::write(
            path("text"),
            "something else, and long enough to have a header of SQLite in its place",
        )
        .unwrap();
        assert!(error(&path("text")).ends_with("is no store of evaluations"), "{}", error(&path("text")));
        Connection::open(path("other")).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
        assert!(error(&path("other")).ends_with("is no store of evaluations"), "{}", error(&path("other")));
        assert!(Store::open(&path("none")).is_err());
        assert!(!path("none").exists());

        let wikipedia = Rules::new(Variant::Makruk, Ruleset::Wikipedia);
        drop(Store::create(&path("store"), wikipedia).unwrap());
        let store = Store::create(&path("store"), Rules::default()).unwrap();
        assert_eq!(store.rules(), wikipedia);
        store.database.execute("INSERT INTO evals VALUES (x'00', x'00')", []).unwrap();
        let damaged = store.for_each(|_| Ok::<(), StoreError>(())).unwrap_err();
        assert!(damaged.to_string().ends_with("a record is damaged"));
        store.database.pragma_update(None, "user_version", 2).unwrap();
        drop(store);
        assert!(error(&path("store")).contains("version 2"));
    }
}
