//! Games between engines: openings, tournaments, statistics of their results, SPSA, and the count suite.

pub mod openings;
pub mod spsa;
pub mod statistics;
pub mod suite;
pub mod tournament;
