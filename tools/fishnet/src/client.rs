//! Requests to the server, and what can go wrong with them.

use std::time::Duration;

use serde_json::Value;
use ureq::http::Response;
use ureq::{Agent, Body};

use crate::protocol::{Identity, Job, Report, Request};
use crate::{Endpoint, Key};

/// Time for a request and its response.
const TIMEOUT: Duration = Duration::from_secs(15);
/// Longest response that is read, in bytes. A job has some kilobytes.
const MAX_RESPONSE: u64 = 1 << 20;
/// Wait after "too many requests" from a server that names no time, and the longest it may name.
const RATE_LIMIT: [Duration; 2] = [Duration::from_secs(60), Duration::from_secs(3600)];
/// Characters of a response in a message.
const MESSAGE_CHARACTERS: usize = 200;
/// How pychess.org begins the end of a message to a worker that is too old.
const UPGRADE: &str = "restart fishnet to upgrade";

/// The server's side of a conversation.
pub(crate) struct Client {
    agent: Agent,
    endpoint: Endpoint,
    key: Key,
    identity: Identity,
}

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// There was no response.
    #[error("no answer: {0}")]
    Unreachable(String),
    /// The server has an error of its own.
    #[error("the server has an error: {0}")]
    Server(String),
    /// The server has had too many requests.
    #[error("the server has had too many requests")]
    TooMany {
        /// How long it asks to wait.
        wait: Duration,
    },
    /// The server does not know the key.
    #[error("the server does not know the key ({0})")]
    UnknownKey(String),
    /// The server wants a later version of the protocol.
    #[error("the server wants a later version of fishnet: {0}")]
    Outdated(String),
    /// The server refused the request.
    #[error("the server refused the request: {0}")]
    Refused(String),
    /// The server gave a job that cannot be read.
    #[error("the job cannot be read: {reason}")]
    BrokenJob {
        /// The name of the job, if that could be read.
        id: Option<String>,
        /// What is wrong with it.
        reason: String,
    },
}

impl Failure {
    /// Whether the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::Server(_) | Self::TooMany { .. })
    }

    /// Whether all other requests will fail as well.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::UnknownKey(_) | Self::Outdated(_))
    }

    /// How long the server asks to wait.
    pub(crate) fn wait(&self) -> Duration {
        if let Self::TooMany { wait } = self { *wait } else { Duration::ZERO }
    }
}

impl Client {
    pub(crate) fn new(endpoint: Endpoint, key: Key, identity: Identity) -> Self {
        let agent = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            // A redirected POST would lose its body.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("sakmak-fishnet/", env!("CARGO_PKG_VERSION")))
            .build()
            .into();
        Self { agent, endpoint, key, identity }
    }

    /// Asks whether the server knows the key.
    pub(crate) fn check_key(&self) -> Result<(), Failure> {
        let url = self.endpoint.url(&format!("key/{}", self.key.as_str()));
        self.read(self.agent.get(url).call()).map(drop)
    }

    /// Sends a report to `path`. The response may have a job, the next one.
    pub(crate) fn send(&self, path: &str, report: Report) -> Result<Option<Job>, Failure> {
        let request = Request { identity: &self.identity, report };
        let body = serde_json::to_vec(&request).map_err(|error| Failure::Refused(error.to_string()))?;
        let request = self.agent.post(self.endpoint.url(path)).content_type("application/json");
        match self.read(request.send(&body))? {
            Some(text) => {
                Job::read(&text).map(Some).map_err(|(id, reason)| Failure::BrokenJob { id, reason })
            }
            None => Ok(None),
        }
    }

    /// The text of a response that has a job; `None` for other successes.
    fn read(&self, response: Result<Response<Body>, ureq::Error>) -> Result<Option<String>, Failure> {
        let unreachable = |error: ureq::Error| Failure::Unreachable(self.key.hidden_in(&error.to_string()));
        let mut response = response.map_err(unreachable)?;
        let status = response.status();
        let text = response.body_mut().with_config().limit(MAX_RESPONSE).read_to_string();
        if status.is_success() {
            let text = text.map_err(unreachable)?;
            return Ok((status.as_u16() == 202).then_some(text));
        }
        let message = self.key.hidden_in(&format!("HTTP {status}{}", words(&text.unwrap_or_default())));
        Err(match status.as_u16() {
            429 => Failure::TooMany { wait: retry_after(&response) },
            500..=599 => Failure::Server(message),
            426 => Failure::Outdated(message),
            _ if message.contains(UPGRADE) => Failure::Outdated(message),
            401 | 403 | 404 => Failure::UnknownKey(message),
            300..=399 => {
                let to =
                    response.headers().get("location").and_then(|to| to.to_str().ok()).unwrap_or("nowhere");
                Failure::Refused(self.key.hidden_in(&format!("{message}, it redirects to {to}")))
            }
            _ => Failure::Refused(message),
        })
    }
}

/// The wait that a response asks for, in seconds. Dates are not read.
fn retry_after(response: &Response<Body>) -> Duration {
    let [usual, longest] = RATE_LIMIT;
    let named =
        response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.trim().parse().ok());
    named.map_or(usual, |seconds: u64| Duration::from_secs(seconds).min(longest))
}

/// What a server says about an error, in a few words.
fn words(text: &str) -> String {
    let error =
        serde_json::from_str(text).ok().and_then(|value: Value| Some(value["error"].as_str()?.to_owned()));
    let is_page = text.trim_start().starts_with('<');
    let text = error.unwrap_or_else(|| if is_page { String::new() } else { text.to_owned() });
    let text: Vec<_> = text.split_whitespace().collect();
    let text: String = text.join(" ").chars().take(MESSAGE_CHARACTERS).collect();
    if text.is_empty() { text } else { format!(": {text}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_servers() {
        assert_eq!(words(r#"{"error": "too old.\nPlease restart"}"#), ": too old. Please restart");
        assert_eq!(words("<!DOCTYPE html><p>Not found"), "");
        assert_eq!(words("404: Not Found"), ": 404: Not Found");
        assert_eq!(words(&"x".repeat(1000)).len(), MESSAGE_CHARACTERS + 2);
    }

    #[test]
    fn what_may_succeed_later() {
        let wait = Duration::from_secs(1);
        for failure in
            [Failure::Unreachable(String::new()), Failure::Server(String::new()), Failure::TooMany { wait }]
        {
            assert!(failure.is_transient() && !failure.is_final());
        }
        assert!(Failure::UnknownKey(String::new()).is_final() && Failure::Outdated(String::new()).is_final());
        assert!(!Failure::Refused(String::new()).is_transient());
        assert_eq!(Failure::TooMany { wait }.wait(), wait);
    }
}
