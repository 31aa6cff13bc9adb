//! Inputs of networks from outside, in one binary.
//!
//! | module | what belongs there |
//! |---|---|
//! | `katago7` | each plane and number of KataGo's version 7 on positions made by hand |
//! | `ladder`, `area` | planes that need reading, against slow and obvious readers on random positions |
//! | `track` | passes, ends, komi and superko of random games, against the same told from the whole game at once |
//! | `paper` | each plane of the paper's set |
//! | `form` | layouts, symmetries, memory used again |
//! | `support` | games, planes as lists of points, random numbers |

mod area;
mod form;
mod katago7;
mod ladder;
mod paper;
mod support;
mod track;
