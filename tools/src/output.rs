//! What commands write: text on standard output, and files that are checked before the work, written whole, and
//! never written over somebody's work.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use tempfile::{Builder, NamedTempFile};

/// Nobody reads standard output any more: a quiet end.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("nobody reads the output any more")]
pub struct OutputClosed;

/// Writes to standard output at once.
///
/// # Errors
/// [`OutputClosed`] if its reader has gone away, and all other errors of writing.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(print_error)
}

/// The error of a write to standard output.
pub fn print_error(error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => OutputClosed.into(),
        _ => anyhow::Error::from(error).context("cannot write to standard output"),
    }
}

/// A file that a command is going to write.
#[derive(Clone, Debug)]
pub struct OutputFile {
    path: PathBuf,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It does not exist.
    New,
    /// It exists and is to be replaced.
    Old,
    /// A device or a pipe.
    Stream,
}

impl OutputFile {
    /// A file that does not exist or is empty. A device or a pipe is written to as it is.
    ///
    /// # Errors
    /// If there is something in the file, or its folder cannot be written to.
    pub fn create(path: &Path) -> Result<Self> {
        Self::check(path, None).with_context(|| path.display().to_string())
    }

    /// The same, but a file that begins with `mark` may be replaced: one that the same command wrote.
    ///
    /// # Errors
    /// If there is something else in the file, or its folder cannot be written to.
    pub fn replace(path: &Path, mark: &str) -> Result<Self> {
        Self::check(path, Some(mark)).with_context(|| path.display().to_string())
    }

    fn check(path: &Path, mark: Option<&str>) -> Result<Self> {
        let (path, kind) = match fs::metadata(path) {
            Ok(found) if found.is_dir() => bail!("is a folder"),
            Ok(found) if found.is_file() => {
                ensure!(!found.permissions().readonly(), "is read-only");
                let mut found = Vec::new();
                File::open(path)?.take(mark.map_or(1, str::len) as u64).read_to_end(&mut found)?;
                ensure!(
                    found.is_empty() || mark.is_some_and(|mark| found == mark.as_bytes()),
                    "exists already{}: remove it or choose another name",
                    if mark.is_some() { ", and not as a file of this command" } else { "" }
                );
                // The file behind a link is replaced, not the link.
                (fs::canonicalize(path)?, Kind::Old)
            }
            Ok(_) => (path.to_owned(), Kind::Stream),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                ensure!(fs::symlink_metadata(path).is_err(), "is a link to nothing");
                (path.to_owned(), Kind::New)
            }
            Err(error) => return Err(error.into()),
        };
        let output = Self { path, kind };
        if kind != Kind::Stream {
            output.temporary().context("cannot write to its folder")?;
        }
        Ok(output)
    }

    /// A file beside this one, gone when it is dropped.
    fn temporary(&self) -> io::Result<NamedTempFile> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut builder = Builder::new();
        builder.prefix(".sakmak-tools-");
        #[cfg(unix)]
        {
            // The umask takes away from this, as from the permissions of any new file.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        builder.tempfile_in(folder.unwrap_or(Path::new(".")))
    }

    /// Begins to write. What is written appears in the file when the draft is [committed](Draft::commit).
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn draft(&self) -> Result<Draft> {
        let file = match self.kind {
            Kind::Stream => OpenOptions::new().write(true).open(&self.path).map(Target::Stream),
            Kind::New | Kind::Old => self.temporary().map(Target::File),
        };
        let file = file.with_context(|| self.path.display().to_string())?;
        Ok(Draft { output: self.clone(), file })
    }

    /// Writes all of the file. If that fails, the text goes to a temporary file, or to standard output.
    ///
    /// # Errors
    /// If the file could not be written; the message names the place where the text is.
    pub fn write(&self, text: &str) -> Result<()> {
        let write = || {
            let mut draft = self.draft()?;
            draft.write_all(text.as_bytes()).with_context(|| self.path.display().to_string())?;
            draft.commit()
        };
        write().map_err(|error| error.context(format!("cannot write the output; {}", rescue(text))))
    }
}

/// Puts a text somewhere else, and says where.
fn rescue(text: &str) -> String {
    let keep = || {
        let mut file = Builder::new().prefix("sakmak-tools-").tempfile()?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.keep().map_err(|error| error.error)
    };
    match keep() {
        Ok((_, path)) => format!("it is in {}", path.display()),
        Err(_) if print(text).is_ok() => "it was printed instead".to_owned(),
        Err(error) => format!("it is lost: {error}"),
    }
}

/// A file half written. It is removed when dropped.
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
    /// Puts the file in its place.
    ///
    /// # Errors
    /// If it cannot be written, or another file has appeared in its place.
    pub fn commit(self) -> Result<()> {
        let path = &self.output.path;
        let commit = || -> io::Result<()> {
            let mut file = match self.file {
                Target::File(file) => file,
                Target::Stream(mut file) => return file.flush(),
            };
            file.flush()?;
            file.as_file().sync_all()?;
            let placed = match self.output.kind {
                Kind::Old => {
                    if let Ok(old) = fs::metadata(path) {
                        file.as_file().set_permissions(old.permissions())?;
                    }
                    file.persist(path)
                }
                _ => file.persist_noclobber(path),
            };
            placed.map(drop).map_err(|error| error.error)
        };
        commit().with_context(|| path.display().to_string())
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

    /// The error of a result as one line.
    fn message<T>(result: Result<T>) -> String {
        format!("{:#}", result.err().expect("an error"))
    }

    #[test]
    fn only_what_is_empty_or_marked_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        OutputFile::create(&path).unwrap().write("# mark, one").unwrap();
        assert!(message(OutputFile::create(&path)).contains("exists already"));
        assert!(message(OutputFile::replace(&path, "# other")).contains("exists already"));
        OutputFile::replace(&path, "# mark").unwrap().write("two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert!(message(OutputFile::replace(&path, "# mark")).contains("exists already"));
        fs::write(&path, "").unwrap();
        OutputFile::create(&path).unwrap().write("three").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "three");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn a_file_that_appears_meanwhile_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
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
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut draft = OutputFile::create(&path).unwrap().draft().unwrap();
        draft.write_all(b"half").unwrap();
        drop(draft);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    }

    #[test]
    fn places_that_cannot_be_written_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "x").unwrap();
        assert!(message(OutputFile::create(folder.path())).contains("is a folder"));
        for path in [folder.path().join("missing/file"), file.join("below")] {
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
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        OutputFile::replace(&link, "old").unwrap().write("new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        symlink(folder.path().join("nothing"), folder.path().join("dangling")).unwrap();
        assert!(message(OutputFile::create(&folder.path().join("dangling"))).contains("a link to nothing"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_stay_devices() {
        OutputFile::create(Path::new("/dev/null")).unwrap().write("x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
