//! A client of fishnet, the queue from which pychess.org and servers like it give out work: moves of the computer
//! player and analyses of games.
//!
//! [`Workers`] asks a server for jobs, several at once, searches in this process, and sends the results:
//!
//! ```no_run
//! use sakmak_fishnet::{Settings, Workers};
//!
//! let settings = Settings::new("https://www.example.org/fishnet/".parse()?, "secret".parse()?);
//! let workers = Workers::new(settings);
//! // Runs until another thread calls `workers.stop`.
//! workers.run(&|event| eprintln!("{event}"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`protocol`] has the messages of the protocol, `client` sends them and names what can go wrong.
//! * `gate` has what the cores share: who may ask for a job, which jobs are in hand, how long to wait after errors.
//! * `search` does a job with an engine, [`levels`] has the strength of the levels of move jobs.
//! * `workers` has the loop of a core: ask, search, deliver.
//!
//! docs/servers.md describes the protocol and how to run workers.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod client;
mod events;
mod gate;
pub mod levels;
pub mod protocol;
mod search;
mod workers;

use std::fmt;
use std::str::FromStr;

pub use client::Failure;
pub use events::{Event, Tally};
pub use gate::Stop;
use ureq::http::Uri;
pub use workers::{FishnetError, Settings, Workers};

/// The address of a server's fishnet, such as `https://www.pychess.org/fishnet/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Without the slash at its end.
    url: String,
    is_private: bool,
}

/// Why a text is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an address such as https://www.example.org/fishnet/ is needed")]
pub struct WrongEndpoint;

impl Endpoint {
    /// The address of a request.
    fn url(&self, path: &str) -> String {
        format!("{}/{path}", self.url)
    }

    /// Whether others cannot read the key on its way: the address is `https`, or on this machine.
    pub fn is_private(&self) -> bool {
        self.is_private
    }
}

impl FromStr for Endpoint {
    type Err = WrongEndpoint;

    fn from_str(text: &str) -> Result<Self, WrongEndpoint> {
        let url = text.trim_end_matches('/');
        let parsed: Uri = url.parse().map_err(|_| WrongEndpoint)?;
        let host = parsed.host().ok_or(WrongEndpoint)?;
        let is_local = host == "localhost" || host.trim_matches(['[', ']']).parse().is_ok_and(is_loopback);
        let is_private = match parsed.scheme_str() {
            Some("https") => true,
            Some("http") => is_local,
            _ => return Err(WrongEndpoint),
        };
        // One with a port that is none would be asked at the usual port.
        let has_wrong_port = parsed.port_u16().is_none()
            && parsed.authority().is_some_and(|authority| authority.as_str().len() > host.len());
        if parsed.query().is_some()
            || has_wrong_port
            || parsed.authority().is_some_and(|authority| authority.as_str().contains('@'))
        {
            return Err(WrongEndpoint);
        }
        Ok(Self { url: url.to_owned(), is_private })
    }
}

fn is_loopback(address: std::net::IpAddr) -> bool {
    address.is_loopback()
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

/// The key of a worker, a secret between the server and the worker's owner. It is in no message.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

/// Why a text is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a key has letters, digits, '-', '_' and '.' only")]
pub struct WrongKey;

impl Key {
    fn as_str(&self) -> &str {
        &self.0
    }

    /// The text with stars in place of the key.
    fn hidden_in(&self, text: &str) -> String {
        text.replace(&self.0, "***")
    }
}

impl FromStr for Key {
    type Err = WrongKey;

    fn from_str(text: &str) -> Result<Self, WrongKey> {
        let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
        let is_key = !text.is_empty() && text.len() <= 256 && text.chars().all(is_plain);
        if is_key { Ok(Self(text.to_owned())) } else { Err(WrongKey) }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let read = |text: &str| text.parse::<Endpoint>();
        let secure = read("https://www.example.org/fishnet/").unwrap();
        assert_eq!(secure.url("acquire"), "https://www.example.org/fishnet/acquire");
        assert!(secure.is_private());
        for (text, is_private) in [
            ("http://localhost:8080/fishnet", true),
            ("http://127.0.0.1:8080/fishnet/", true),
            ("http://[::1]:8080/fishnet", true),
            ("http://[::1]/fishnet", true),
            ("http://example.org/fishnet", false),
        ] {
            assert_eq!(read(text).map(|endpoint| endpoint.is_private()), Ok(is_private), "{text}");
        }
        for wrong in [
            "",
            "www.example.org",
            "ftp://example.org",
            "https://",
            "https://a.org/?x=1",
            "https://u:p@a.org/",
            "http://127.0.0.1:99999/fishnet",
            "https://a.org:/fishnet",
            "https://a.org:x/fishnet",
        ] {
            assert_eq!(read(wrong), Err(WrongEndpoint), "{wrong}");
        }
    }

    #[test]
    fn keys_stay_secret() {
        let key: Key = "aB3-x".parse().unwrap();
        assert_eq!(format!("{key:?}"), "Key(***)");
        assert_eq!(key.hidden_in("no host for /key/aB3-x"), "no host for /key/***");
        for wrong in ["", "a b", "a/b", "ä", "a?b"] {
            assert_eq!(wrong.parse::<Key>(), Err(WrongKey), "{wrong}");
        }
    }
}
