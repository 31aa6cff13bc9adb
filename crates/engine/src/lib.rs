//! The engine: a game, a search, a clock, and the decisions between them, behind the Go Text Protocol.
#![forbid(unsafe_code)]
