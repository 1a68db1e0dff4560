//! Connections to the server.

use std::error::Error;
use std::io;
use std::str::FromStr;
use std::time::Duration;

use postgres::error::SqlState;
use postgres::{Client, Config, NoTls};
use thiserror::Error;

/// Why the queue cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum QueueError {
    /// The address of the server is wrong. The text does not repeat it, as it may have a password.
    #[error("the address of the server is wrong: {0}")]
    Address(String),
    /// The server refuses, or cannot be reached.
    #[error("the server of the queue: {0}")]
    Server(String),
    /// There is no such job.
    #[error("there is no job '{0}' in the queue; `queue init` makes one")]
    NoJob(String),
    /// A job has this name.
    #[error("there is a job '{0}' already: choose another name, or remove it by `queue drop`")]
    Exists(String),
    /// The job belongs to another version of the program.
    #[error("the job was made by {wanted}, and this is {found}: results would differ")]
    Program {
        /// The program that made the job.
        wanted: String,
        /// This one.
        found: String,
    },
    /// [`Workers::give_back`](crate::Workers::give_back) ended the work.
    #[error("the work was given back")]
    Stopped,
    /// A piece cannot be worked on; from the caller.
    #[error("{0}")]
    Work(String),
}

impl From<postgres::Error> for QueueError {
    fn from(error: postgres::Error) -> Self {
        Self::Server(words(&error))
    }
}

/// An error with its cause, without repetitions.
fn words(error: &postgres::Error) -> String {
    if let Some(refused) = error.as_db_error() {
        return refused.message().to_owned();
    }
    let text = error.to_string();
    match error.source().map(ToString::to_string) {
        Some(cause) if !text.contains(&cause) => format!("{text}: {cause}"),
        _ => text,
    }
}

/// A server of queues and how to log in.
#[derive(Clone, Debug)]
pub struct Server(Config);

impl Server {
    /// The server of an address in the form of libpq: `postgresql://user@host:port/database`, or `host=... user=...`.
    /// `password` is used if the address has none.
    ///
    /// # Errors
    /// If the address is wrong.
    pub fn new(address: &str, password: Option<&str>) -> Result<Self, QueueError> {
        let mut config = Config::from_str(address).map_err(|error| QueueError::Address(words(&error)))?;
        if let (None, Some(password)) = (config.get_password(), password) {
            config.password(password);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(10));
        }
        config.application_name("sakmak-tools queue");
        // Both sides find out within a minute that the other machine is gone.
        config.keepalives_idle(Duration::from_secs(30));
        Ok(Self(config))
    }

    /// A new connection.
    ///
    /// # Errors
    /// If the server refuses, or cannot be reached.
    pub(crate) fn connect(&self) -> Result<Client, postgres::Error> {
        let mut client = self.0.connect(NoTls)?;
        client.batch_execute(
            "SET client_min_messages = warning; SET statement_timeout = 0; SET idle_session_timeout = 0;
             SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3",
        )?;
        Ok(client)
    }
}

/// Whether an error means that the connection was lost, or cannot be had for a while.
pub(crate) fn is_lost(error: &postgres::Error) -> bool {
    if let Some(code) = error.code() {
        let ending = [
            SqlState::ADMIN_SHUTDOWN,
            SqlState::CRASH_SHUTDOWN,
            SqlState::CANNOT_CONNECT_NOW,
            SqlState::TOO_MANY_CONNECTIONS,
        ];
        return ending.contains(code) || code.code().starts_with("08");
    }
    let mut cause = error.source();
    while let Some(found) = cause {
        if found.is::<io::Error>() {
            return true;
        }
        cause = found.source();
    }
    error.is_closed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_printed() {
        let wrong = Server::new("postgresql://user:secret@host:port/base", None).unwrap_err().to_string();
        assert!(!wrong.contains("secret"), "{wrong}");
        let server = Server::new("postgresql://user:secret@host/base", Some("other")).unwrap();
        assert_eq!(server.0.get_password(), Some(&b"secret"[..]));
        assert!(!format!("{server:?}").contains("secret"));
        let server = Server::new("host=/run user=me", Some("other")).unwrap();
        assert_eq!(server.0.get_password(), Some(&b"other"[..]));
    }

    #[test]
    fn a_server_that_is_away_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let away = Server::new(&format!("host={} user=me", folder.path().display()), None).unwrap();
        let error = away.connect().err().unwrap();
        assert!(is_lost(&error), "{error}");
    }
}
