//! The crate from outside, in one binary.
//!
//! | module | what belongs there |
//! |---|---|
//! | `answer` | what networks answer, against numpy |
//! | `fast` | the fast evaluation, against the slow one |
//! | `hostile` | files that are broken, cut, absurd or evil |
//! | `onnx` | exports for other tools |
//! | `own` | our own weight files |
//! | `seeded` | networks and positions made from seeds, shared by the others |

mod answer;
mod fast;
mod hostile;
mod onnx;
mod own;
mod seeded;
