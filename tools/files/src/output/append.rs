//! Output files that grow record by record and can be resumed.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{FileLock, OutputError, lock};

/// A file written record by record, locked against other runs as long as this lives.
#[derive(Debug)]
pub struct AppendFile {
    path: PathBuf,
    file: File,
    /// Whether it is a regular file, not a pipe or a device.
    regular: bool,
    /// Length of the complete records in bytes.
    length: u64,
    _lock: Option<FileLock>,
}

impl AppendFile {
    /// Creates a file; it may exist if empty, as left by a run that could not begin.
    ///
    /// # Errors
    /// If it is not empty, another run writes it, or it cannot be created.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        let file = Self::open(path)?;
        if file.length > 0 {
            return Err(OutputError::Resumable { path: path.to_owned() });
        }
        Ok(file)
    }

    /// Opens the file of an earlier run, or a new one.
    ///
    /// # Errors
    /// If another run writes it, or it cannot be opened.
    pub fn resume(path: &Path) -> Result<Self, OutputError> {
        Self::open(path)
    }

    fn open(path: &Path) -> Result<Self, OutputError> {
        let io_error = |error: io::Error| OutputError::refused(path, error);
        if path.is_dir() {
            return Err(OutputError::refused(path, "is a directory"));
        }
        if path.is_symlink() && !path.exists() {
            return Err(OutputError::refused(path, "is a link to nothing"));
        }
        // Locked before opening, so that a file in use is not touched.
        let lock = lock(path)?;
        // A pipe or a device may refuse to be read.
        let readable = !path.exists() || path.is_file();
        let mut options = OpenOptions::new();
        let file = options.read(readable).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(io_error)?;
        let metadata = file.metadata().map_err(io_error)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            regular: metadata.is_file(),
            length: if metadata.is_file() { metadata.len() } else { 0 },
            _lock: lock,
        })
    }

    fn io_error(&self, error: io::Error) -> OutputError {
        OutputError::refused(&self.path, error)
    }

    /// The contents of the file; empty for a pipe or a device.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn contents(&mut self) -> Result<Vec<u8>, OutputError> {
        let mut bytes = Vec::new();
        if self.regular {
            let read = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.read_to_end(&mut bytes));
            read.map_err(|error| self.io_error(error))?;
        }
        Ok(bytes)
    }

    /// The file, for reading.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Truncates the file to `length` bytes: the end of the last complete record.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn cut(&mut self, length: u64) -> Result<(), OutputError> {
        if self.regular && length != self.length {
            self.file.set_len(length).map_err(|error| self.io_error(error))?;
            self.length = length;
        }
        Ok(())
    }

    /// Appends a record. If it cannot be written completely, the file ends with the record before.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, record: &[u8]) -> Result<(), OutputError> {
        if !self.regular {
            return self.file.write_all(record).map_err(|error| self.io_error(error));
        }
        let at_end = self.file.seek(SeekFrom::Start(self.length));
        let written = at_end.and_then(|_| self.file.write_all(record));
        match written {
            Ok(()) => self.length += record.len() as u64,
            // If this fails too, the next run removes the incomplete record.
            Err(_) => drop(self.file.set_len(self.length)),
        }
        written.map_err(|error| self.io_error(error))
    }

    /// Waits until everything written is on the disk; does nothing for a pipe or a device.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn sync(&self) -> Result<(), OutputError> {
        if self.regular {
            self.file.sync_data().map_err(|error| self.io_error(error))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn records_are_added_and_resumed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let mut file = AppendFile::create(&path).unwrap();
        file.append(b"one\n").unwrap();
        for opened in [AppendFile::create(&path), AppendFile::resume(&path)] {
            assert!(opened.unwrap_err().to_string().contains("another run is writing this file"));
        }
        drop(file);
        assert!(matches!(AppendFile::create(&path), Err(OutputError::Resumable { .. })));
        let mut file = AppendFile::resume(&path).unwrap();
        file.append(b"half").unwrap();
        assert_eq!(file.contents().unwrap(), b"one\nhalf");
        file.cut(4).unwrap();
        file.append(b"two\n").unwrap();
        file.sync().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\n");
        drop(file);
        fs::write(&path, "").unwrap();
        assert!(AppendFile::create(&path).is_ok());
        assert!(AppendFile::create(directory.path()).unwrap_err().to_string().contains("is a directory"));
    }
}
