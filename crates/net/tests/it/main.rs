//! The crate from outside, in one binary.
//!
//! | module | what belongs there |
//! |---|---|
//! | `answer` | what networks answer, against numpy |
//! | `hostile` | files that are broken, cut, absurd or evil |
//! | `own` | our own weight files |
//! | `seeded` | networks and positions made from seeds, shared by the others |

mod answer;
mod hostile;
mod own;
mod seeded;
