//! Connections to the server.

use std::error::Error;
use std::io;
use std::str::FromStr;
use std::sync::mpsc;
use std::thread;
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

/// Why there is no connection.
#[derive(Debug)]
pub(crate) enum ConnectError {
    Failed(postgres::Error),
    /// Something accepts connections there and says nothing for this time: an overloaded or suspended server, or
    /// another program.
    Silent(Duration),
}

impl ConnectError {
    /// Whether another try may have a connection.
    pub(crate) fn is_lost(&self) -> bool {
        match self {
            Self::Failed(error) => is_lost(error),
            Self::Silent(_) => true,
        }
    }
}

impl From<postgres::Error> for ConnectError {
    fn from(error: postgres::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<ConnectError> for QueueError {
    fn from(error: ConnectError) -> Self {
        match error {
            ConnectError::Failed(error) => error.into(),
            ConnectError::Silent(time) => Self::Server(format!(
                "no answer within {} s; is this the address of a PostgreSQL server?",
                time.as_secs_f64()
            )),
        }
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

/// The time for a connection to one host, unless the address has a `connect_timeout`.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

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
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        config.application_name("sakmak-tools queue");
        // Both sides find out within a minute that the other machine is gone.
        config.keepalives_idle(Duration::from_secs(30));
        Ok(Self(config))
    }

    /// A new connection.
    ///
    /// # Errors
    /// If the server refuses, cannot be reached, or says nothing for the timeout of all hosts and once more.
    pub(crate) fn connect(&self) -> Result<Client, ConnectError> {
        let hosts = u32::try_from(self.0.get_hosts().len()).unwrap_or(u32::MAX);
        let timeout = self.0.get_connect_timeout().copied().unwrap_or(CONNECT_TIMEOUT);
        self.connect_within(timeout.saturating_mul(hosts.saturating_add(1)))
    }

    /// A new connection, had within `patience`.
    pub(crate) fn connect_within(&self, patience: Duration) -> Result<Client, ConnectError> {
        // The timeout of the configuration ends with the TCP connection. So another thread logs in; if the server stays
        // silent, that thread remains until the connection or the program ends.
        let config = self.0.clone();
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || drop(sender.send(log_in(&config))));
        Ok(receiver.recv_timeout(patience).map_err(|_| ConnectError::Silent(patience))??)
    }
}

fn log_in(config: &Config) -> Result<Client, postgres::Error> {
    let mut client = config.connect(NoTls)?;
    client.batch_execute(
        "SET client_min_messages = warning; SET statement_timeout = 0; SET idle_session_timeout = 0;
         SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3",
    )?;
    Ok(client)
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
    use std::net::TcpListener;

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
        assert!(error.is_lost(), "{error:?}");
    }

    #[test]
    fn a_server_that_says_nothing_is_not_waited_for_without_end() {
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = silent.local_addr().unwrap().port();
        let server = Server::new(&format!("host=127.0.0.1 port={port} user=me"), None).unwrap();
        let error = server.connect_within(Duration::from_millis(200)).err().unwrap();
        assert!(error.is_lost(), "{error:?}");
        let text = QueueError::from(error).to_string();
        assert!(text.contains("no answer within 0.2 s"), "{text}");
    }
}
