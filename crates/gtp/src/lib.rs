//! gtp
