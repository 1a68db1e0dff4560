//! Locks of output files. The system releases them when the process ends, however it ends.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Longer names are replaced by a checksum, so that the lock's name fits the file system.
const LONGEST_NAME: usize = 200;

/// The lock of an output file: as long as it lives, no other [`FileLock`] of the file can be acquired, by this process
/// or any other.
///
/// It is a lock on the empty file `.NAME.lock` beside the output, so that the output can be replaced while locked. That
/// file is removed when the lock is dropped. A killed process leaves its file, unlocked, for the next one.
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    /// Open, and locked if the file system supports locks.
    file: Option<File>,
}

impl FileLock {
    /// Locks an output file, which need not exist; `None` if it is already locked.
    ///
    /// # Errors
    /// If the lock file cannot be opened.
    pub fn acquire(output: &Path) -> io::Result<Option<Self>> {
        let path = lock_path(output);
        loop {
            let Some(file) = open_locked(&path)? else { return Ok(None) };
            // The previous owner may have removed the file after it was opened and before it was locked here.
            if is_at(&file, &path) {
                return Ok(Some(Self { path, file: Some(file) }));
            }
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        let Some(file) = self.file.take() else { return };
        // Other systems remove it with its last handle.
        if cfg!(unix) && is_at(&file, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The lock file of an output; if the output is a link, beside its target.
fn lock_path(output: &Path) -> PathBuf {
    let output = fs::canonicalize(output).unwrap_or_else(|_| {
        let directory = output.parent().filter(|directory| !directory.as_os_str().is_empty());
        let directory = fs::canonicalize(directory.unwrap_or(Path::new(".")));
        match (directory, output.file_name()) {
            (Ok(directory), Some(name)) => directory.join(name),
            _ => output.to_owned(),
        }
    });
    let name = output.file_name().unwrap_or_default();
    let mut lock = OsString::from(".");
    if name.len() > LONGEST_NAME {
        lock.push(format!("{:08x}", crc32fast::hash(name.as_encoded_bytes())));
    } else {
        lock.push(name);
    }
    lock.push(".lock");
    output.with_file_name(lock)
}

/// Opens and locks a file; `None` if it is already locked.
#[cfg(unix)]
fn open_locked(path: &Path) -> io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, OFlags, flock};
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    // In a folder that others can write to, a planted link is not followed.
    options.custom_flags(OFlags::NOFOLLOW.bits() as i32);
    let file = options.open(path)?;
    // Some network file systems have no locks; work without one then.
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        _ => Ok(Some(file)),
    }
}

/// Opens a file exclusively, to be removed when closed; `None` if it is already open.
#[cfg(windows)]
fn open_locked(path: &Path) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt;
    const GENERIC_WRITE: u32 = 0x4000_0000;
    const DELETE: u32 = 0x0001_0000;
    const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    options.access_mode(GENERIC_WRITE | DELETE).share_mode(0).custom_flags(FILE_FLAG_DELETE_ON_CLOSE);
    match options.open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A system without locks.
#[cfg(not(any(unix, windows)))]
fn open_locked(path: &Path) -> io::Result<Option<File>> {
    OpenOptions::new().write(true).create(true).truncate(false).open(path).map(Some)
}

/// Whether an open file is still the one at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |data: fs::Metadata| (data.dev(), data.ino());
    let (open, there) = (file.metadata().map(identity), fs::symlink_metadata(path).map(identity));
    open.is_ok_and(|open| there.is_ok_and(|there| open == there))
}

/// On this system nobody can remove an open file.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_locked_once() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["games.pgn".to_owned(), "ก".repeat(80)] {
            let output = directory.path().join(name);
            let lock = FileLock::acquire(&output).unwrap().expect("a lock");
            assert!(FileLock::acquire(&output).unwrap().is_none());
            assert!(FileLock::acquire(&directory.path().join("other")).unwrap().is_some());
            fs::write(&output, "replaced").unwrap();
            let dotted = directory.path().join(".").join(output.file_name().unwrap());
            assert!(FileLock::acquire(&dotted).unwrap().is_none());
            drop(lock);
            assert!(FileLock::acquire(&output).unwrap().is_some());
            fs::remove_file(&output).unwrap();
        }
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 0, "nothing is left");
    }

    #[cfg(unix)]
    #[test]
    fn what_stands_in_the_place_of_a_lock() {
        let directory = tempfile::tempdir().unwrap();
        let [output, lock] = ["out", ".out.lock"].map(|name| directory.path().join(name));
        // Left by a killed process.
        fs::write(&lock, "").unwrap();
        assert!(FileLock::acquire(&output).unwrap().is_some());
        let elsewhere = directory.path().join("elsewhere");
        std::os::unix::fs::symlink(&elsewhere, &lock).unwrap();
        assert!(FileLock::acquire(&output).is_err());
        assert!(!elsewhere.exists());
    }

    /// Many threads take turns: no two of them ever hold the lock together.
    #[test]
    fn the_lock_has_one_owner_at_a_time() {
        use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
        let directory = tempfile::tempdir().unwrap();
        let output = directory.path().join("out");
        let (owners, turns) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    while turns.load(SeqCst) < 500 {
                        if let Some(lock) = FileLock::acquire(&output).unwrap() {
                            assert_eq!(owners.fetch_add(1, SeqCst), 0);
                            turns.fetch_add(1, SeqCst);
                            owners.fetch_sub(1, SeqCst);
                            drop(lock);
                        }
                    }
                });
            }
        });
    }
}
