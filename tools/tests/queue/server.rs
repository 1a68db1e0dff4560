//! A PostgreSQL server in a temporary folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use postgres::{Client, NoTls};

use crate::common::Folder;

/// A server, which ends when this is dropped.
pub(crate) struct TestServer {
    folder: Folder,
    programs: PathBuf,
    /// One for all queries, as a new one costs the server a process.
    client: Mutex<Option<Client>>,
}

/// The folder of PostgreSQL's programs; `None` if there is none.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let debian = debian.map(|version| version.path().join("bin"));
    std::env::split_paths(&path).chain(debian).find(|folder| folder.join("initdb").is_file())
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// A program of PostgreSQL, which refuses to run as root: then by the user that its package has made.
fn command(program: &Path) -> Command {
    let mut command = if is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
    command
}

impl TestServer {
    /// Starts a server.
    ///
    /// # Errors
    /// The reason if there is no PostgreSQL that can be used.
    pub(crate) fn start() -> Result<Self, String> {
        let programs = programs().ok_or("needs PostgreSQL's initdb")?;
        let folder = Folder::new();
        if is_root() {
            let owned =
                Command::new("chown").args(["postgres", folder.path()]).stderr(Stdio::null()).status();
            if !owned.is_ok_and(|status| status.success()) {
                return Err("needs the user postgres, as root may not run PostgreSQL".to_owned());
            }
        }
        let server = Self { folder, programs, client: Mutex::new(None) };
        let ran = |command: &mut Command| command.status().is_ok_and(|status| status.success());
        let data = server.folder.file("data");
        let made = ran(command(&server.programs.join("initdb")).args(["-D", &data]).args([
            "-A",
            "trust",
            "-U",
            "me",
            "-E",
            "UTF8",
            "--locale",
            "C",
            "--no-sync",
            "--no-instructions",
        ]));
        assert!(made, "initdb");
        assert!(server.control("start"), "the server starts");
        Ok(server)
    }

    /// Starts or stops the server, and waits for that.
    pub(crate) fn control(&self, what: &str) -> bool {
        drop(self.client.lock().unwrap_or_else(PoisonError::into_inner).take());
        let options =
            format!("-k {} -c listen_addresses= -c fsync=off -c shared_buffers=16MB", self.folder.path());
        let mut command = command(&self.programs.join("pg_ctl"));
        command.args(["-D", &self.folder.file("data"), "-w", "-m", "immediate", what]);
        if what == "start" {
            command.args(["-o", &options, "-l", &self.folder.file("log")]);
        }
        command.status().is_ok_and(|status| status.success())
    }

    /// The address for `--url`.
    pub(crate) fn url(&self) -> String {
        format!("host={} user=me dbname=postgres", self.folder.path())
    }

    /// A number that a query returns.
    pub(crate) fn number(&self, query: &str) -> i64 {
        let mut client = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        let connect = || Client::connect(&self.url(), NoTls).expect("a connection");
        client.get_or_insert_with(connect).query_one(query, &[]).expect("a query").get(0)
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.control("stop");
    }
}
