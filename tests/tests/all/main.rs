//! The tests that span the crates, in one test program.

mod cambodian;
mod counting;
mod dead_material;
mod evaluation;
mod fen;
mod first_moves;
mod fuzz_corpora;
mod hash;
mod legality;
mod network;
mod perft;
mod ruleset_search;
mod rulesets;
mod search;
mod see;
mod tablebase;
mod uci_front_end;
mod uci_random;
mod uci_session;
