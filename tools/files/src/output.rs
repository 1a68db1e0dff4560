//! Output files of commands: checked before the work, locked, replaced atomically, never overwriting other work.

mod append;
mod lock;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use tempfile::{Builder, NamedTempFile};
use thiserror::Error;

pub use append::AppendFile;
pub use lock::FileLock;

/// Why an output file cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The file has contents that may not be replaced.
    #[error(
        "{}: exists already{}: remove it or choose another name",
        path.display(),
        if *has_mark { ", and not as a file of this command" } else { "" }
    )]
    Exists {
        /// The path.
        path: PathBuf,
        /// Whether a file with the command's mark could have been replaced.
        has_mark: bool,
    },
    /// The file has contents that a run could resume.
    #[error("{}: exists already: --resume goes on with it, or choose another name", path.display())]
    Resumable {
        /// The path.
        path: PathBuf,
    },
    /// The file cannot be opened, locked, read or written.
    #[error("{}: {reason}", path.display())]
    Refused {
        /// The path.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
    /// The text could not be written to its file; it was saved in a temporary file.
    #[error("cannot write the output; it is in {}: {error}", copy.display())]
    Rescued {
        /// The temporary file.
        copy: PathBuf,
        /// The cause.
        error: Box<OutputError>,
    },
    /// The text could not be written anywhere.
    #[error("cannot write the output: {error}")]
    Unsaved {
        /// The text.
        text: String,
        /// The cause.
        error: Box<OutputError>,
    },
}

impl OutputError {
    fn refused(path: &Path, reason: impl ToString) -> Self {
        Self::Refused { path: path.to_owned(), reason: reason.to_string() }
    }

    /// The directory of the output is not writable.
    fn directory(path: &Path, error: &io::Error) -> Self {
        Self::refused(path, format_args!("cannot write to its directory: {error}"))
    }
}

/// Locks an output file; `None` for a pipe or a device.
fn lock(path: &Path) -> Result<Option<FileLock>, OutputError> {
    if path.exists() && !path.is_file() {
        return Ok(None);
    }
    match FileLock::acquire(path) {
        Ok(Some(lock)) => Ok(Some(lock)),
        Ok(None) => Err(OutputError::refused(path, "another run is writing this file")),
        Err(error) => Err(OutputError::directory(path, &error)),
    }
}

/// An output file, locked against other runs as long as this or a draft of it lives.
#[derive(Clone, Debug)]
pub struct OutputFile {
    path: PathBuf,
    kind: FileKind,
    shared: Arc<Shared>,
}

/// State shared by the clones of an `OutputFile`.
#[derive(Debug)]
struct Shared {
    _lock: Option<FileLock>,
    /// Whether a draft has been moved to its place, so that the file may exist.
    is_placed: AtomicBool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    /// It does not exist yet.
    New,
    /// It exists and will be replaced.
    Existing,
    /// A device or a pipe.
    Stream,
}

impl OutputFile {
    /// Claims a file that does not exist or is empty. A device or a pipe is written to directly.
    ///
    /// # Errors
    /// If the file is not empty, or its directory cannot be written to.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        Self::check(path, None)
    }

    /// As `create`, but a file that begins with `mark` may be replaced: one that the same command wrote.
    ///
    /// # Errors
    /// If the file begins with anything else, or its directory cannot be written to.
    pub fn replace(path: &Path, mark: &str) -> Result<Self, OutputError> {
        Self::check(path, Some(mark))
    }

    fn check(path: &Path, mark: Option<&str>) -> Result<Self, OutputError> {
        let io_error = |error: io::Error| OutputError::refused(path, error);
        let lock = lock(path)?;
        let (target, kind) = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(OutputError::refused(path, "is a directory")),
            Ok(found) if found.is_file() => {
                if found.permissions().readonly() {
                    return Err(OutputError::refused(path, "is read-only"));
                }
                let mut found = Vec::new();
                let length = mark.map_or(1, str::len) as u64;
                let read = File::open(path).and_then(|file| file.take(length).read_to_end(&mut found));
                read.map_err(io_error)?;
                if !found.is_empty() && mark.is_none_or(|mark| found != mark.as_bytes()) {
                    return Err(OutputError::Exists { path: path.to_owned(), has_mark: mark.is_some() });
                }
                // If the path is a link, the file behind it is replaced, not the link.
                (fs::canonicalize(path).map_err(io_error)?, FileKind::Existing)
            }
            Ok(_) => (path.to_owned(), FileKind::Stream),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if fs::symlink_metadata(path).is_ok() {
                    return Err(OutputError::refused(path, "is a link to nothing"));
                }
                (path.to_owned(), FileKind::New)
            }
            Err(error) => return Err(io_error(error)),
        };
        let shared = Arc::new(Shared { _lock: lock, is_placed: AtomicBool::new(false) });
        let output = Self { path: target, kind, shared };
        if kind != FileKind::Stream {
            output.temporary().map_err(|error| OutputError::directory(path, &error))?;
        }
        Ok(output)
    }

    /// The path of the file, with links resolved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A temporary file in the same directory, removed when dropped.
    fn temporary(&self) -> io::Result<NamedTempFile> {
        let directory = self.path.parent().filter(|directory| !directory.as_os_str().is_empty());
        let mut builder = Builder::new();
        builder.prefix(".sakmak-tools-");
        #[cfg(unix)]
        {
            // The umask is subtracted from this, as for any new file.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        builder.tempfile_in(directory.unwrap_or(Path::new(".")))
    }

    fn io_error(&self, error: io::Error) -> OutputError {
        OutputError::refused(&self.path, error)
    }

    /// Starts writing. The file changes when the draft is [committed](Draft::commit).
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn draft(&self) -> Result<Draft, OutputError> {
        let file = match self.kind {
            FileKind::Stream => OpenOptions::new().write(true).open(&self.path).map(Target::Stream),
            FileKind::New | FileKind::Existing => self.temporary().map(Target::File),
        };
        let file = file.map_err(|error| self.io_error(error))?;
        Ok(Draft { output: self.clone(), file })
    }

    /// Writes the whole file. On failure the text is saved in a temporary file.
    ///
    /// # Errors
    /// [`OutputError::Rescued`] with the path of that file, or [`OutputError::Unsaved`] with the text itself.
    pub fn write(&self, text: &str) -> Result<(), OutputError> {
        let write = || {
            let mut draft = self.draft()?;
            draft.write_all(text.as_bytes()).map_err(|error| self.io_error(error))?;
            draft.commit().map(drop)
        };
        write().map_err(|error| {
            let error = Box::new(error);
            match save_elsewhere(text) {
                Ok(copy) => OutputError::Rescued { copy, error },
                Err(_) => OutputError::Unsaved { text: text.to_owned(), error },
            }
        })
    }
}

/// Saves a text in a temporary file that is kept; returns its path.
fn save_elsewhere(text: &str) -> io::Result<PathBuf> {
    let mut file = Builder::new().prefix("sakmak-tools-").tempfile()?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    let (_, path) = file.keep().map_err(|error| error.error)?;
    Ok(path)
}

/// The new contents of an output file, removed when dropped before `commit`.
#[derive(Debug)]
pub struct Draft {
    output: OutputFile,
    file: Target,
}

#[derive(Debug)]
enum Target {
    File(NamedTempFile),
    Stream(File),
}

impl Draft {
    /// The file to write to.
    pub fn file(&self) -> &File {
        match &self.file {
            Target::File(file) => file.as_file(),
            Target::Stream(file) => file,
        }
    }

    /// Moves the draft to the place of the output and returns it; `None` for a device or a pipe.
    ///
    /// # Errors
    /// If it cannot be moved, or another file has appeared at its place.
    pub fn commit(self) -> Result<Option<File>, OutputError> {
        let Self { output, file } = self;
        let commit = || -> io::Result<Option<File>> {
            let mut file = match file {
                Target::File(file) => file,
                Target::Stream(mut file) => return file.flush().map(|()| None),
            };
            file.as_file().sync_all()?;
            let placed = if output.kind == FileKind::Existing || output.shared.is_placed.load(Relaxed) {
                if let Ok(old) = fs::metadata(&output.path) {
                    file.as_file_mut().set_permissions(old.permissions())?;
                }
                file.persist(&output.path)
            } else {
                file.persist_noclobber(&output.path)
            };
            let placed = placed.map(Some).map_err(|error| error.error)?;
            output.shared.is_placed.store(true, Relaxed);
            Ok(placed)
        };
        commit().map_err(|error| output.io_error(error))
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Target::File(file) => file.write(bytes),
            Target::Stream(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.file {
            Target::File(file) => file.flush(),
            Target::Stream(file) => file.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T>(result: Result<T, OutputError>) -> String {
        result.err().expect("an error").to_string()
    }

    #[test]
    fn only_what_is_empty_or_marked_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        OutputFile::create(&path).unwrap().write("# mark, one").unwrap();
        assert!(message(OutputFile::create(&path)).contains("exists already"));
        assert!(message(OutputFile::replace(&path, "# other")).contains("exists already"));
        OutputFile::replace(&path, "# mark").unwrap().write("two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert!(message(OutputFile::replace(&path, "# mark")).contains("exists already"));
        fs::write(&path, "").unwrap();
        OutputFile::create(&path).unwrap().write("three").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "three");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn an_output_has_one_writer_who_may_write_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let output = OutputFile::create(&path).unwrap();
        for text in ["one", "two"] {
            output.write(text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert!(message(OutputFile::replace(&path, "")).contains("another run is writing this file"));
        }
        let draft = output.draft().unwrap();
        drop(output);
        assert!(OutputFile::replace(&path, "").is_err());
        drop(draft);
        assert!(OutputFile::replace(&path, "").is_ok());
    }

    #[test]
    fn a_file_that_appears_meanwhile_is_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let output = OutputFile::create(&path).unwrap();
        fs::write(&path, "somebody else's").unwrap();
        let error = message(output.write("ours"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "somebody else's");
        let place = PathBuf::from(error.split_once("it is in ").unwrap().1.split_once(": ").unwrap().0);
        assert_eq!(fs::read_to_string(&place).unwrap(), "ours", "{error}");
        fs::remove_file(place).unwrap();
    }

    #[test]
    fn a_draft_that_is_dropped_changes_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let mut draft = OutputFile::create(&path).unwrap().draft().unwrap();
        draft.write_all(b"half").unwrap();
        drop(draft);
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
    }

    #[test]
    fn places_that_cannot_be_written_are_refused_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        fs::write(&file, "x").unwrap();
        assert!(message(OutputFile::create(directory.path())).contains("is a directory"));
        for path in [directory.path().join("missing/file"), file.join("below")] {
            assert!(message(OutputFile::create(&path)).contains(&path.display().to_string()));
            assert!(OutputFile::replace(&path, "").is_err());
        }
        let mut locked = fs::metadata(&file).unwrap().permissions();
        locked.set_readonly(true);
        fs::set_permissions(&file, locked).unwrap();
        assert!(message(OutputFile::replace(&file, "")).contains("is read-only"));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        OutputFile::replace(&link, "old").unwrap().write("new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        symlink(directory.path().join("nothing"), directory.path().join("dangling")).unwrap();
        assert!(
            message(OutputFile::create(&directory.path().join("dangling"))).contains("a link to nothing")
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_stay_devices() {
        OutputFile::create(Path::new("/dev/null")).unwrap().write("x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
