//! Options that name a file which the engine reads: opening book and evaluations.

use std::path::Path;
use std::sync::Arc;

use super::{EMPTY, Options};
use crate::book::Book;
use crate::evaluations::Evaluations;
use crate::rules_key::rules_key;

impl Options {
    /// Reads the opening book of a file; an empty text stands for none.
    pub(super) fn set_book(&mut self, text: &str) {
        if text.is_empty() || text == EMPTY {
            self.book = None;
            return;
        }
        if cfg!(target_family = "wasm") {
            // Without files the reader is not worth its size.
            self.messages.push(format!("book {text} not loaded: there are no files here"));
            return;
        }
        self.messages.push(match Book::open(Path::new(text)) {
            Ok(book) => {
                let message = format!("book {text}: {} positions", book.len());
                self.book = Some(Arc::new(book));
                message
            }
            Err(fault) => {
                let kept = if self.book.is_some() { "keeping the one before" } else { "there is none" };
                format!("book {text} not loaded: {fault}; {kept}")
            }
        });
    }

    /// Opens a file of evaluations; an empty text stands for none.
    pub(super) fn set_evaluations(&mut self, text: &str) {
        if text.is_empty() || text == EMPTY {
            self.settings.evaluations = None;
            return;
        }
        if cfg!(target_family = "wasm") {
            // Without files the reader is not worth its size.
            self.messages.push(format!("evaluations {text} not loaded: there are no files here"));
            return;
        }
        self.messages.push(match Evaluations::open(Path::new(text)) {
            Ok(found) => {
                let message =
                    format!("evaluations {text}: {} positions of {}", found.len(), rules_key(found.rules()));
                self.settings.evaluations = Some(Arc::new(found));
                message
            }
            Err(fault) => {
                let has = self.settings.evaluations.is_some();
                let kept = if has { "keeping those before" } else { "there are none" };
                format!("evaluations {text} not loaded: {fault}; {kept}")
            }
        });
    }
}
