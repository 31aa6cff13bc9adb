//! The reference for larger regions against the one that looks at every position.

use crate::plain::question;
use crate::random_problem::{SMALL, describe, random_problem};
use crate::reference::Verdict;
use crate::rng::Rng;
use crate::wide;

/// Random problems that both are asked.
const PROBLEMS: usize = 1500;

/// More than either needs for any of them.
const POSITIONS: usize = 200_000;

#[test]
fn both_references_agree() {
    let mut rng = Rng::new(17);
    let (mut done, mut lives, mut dies, mut kos) = (0, 0, 0, [0; 4]);
    while done < PROBLEMS {
        let Some(problem) = random_problem(&mut rng, &SMALL) else { continue };
        let question = question(&problem);
        let Some(expected) = question.answer() else { continue };
        if expected.bans == 0 && rng.chance(80) {
            continue;
        }
        let found = wide::answer(&question, POSITIONS);
        let context = || format!("{expected:?} {found:?} in {}", describe(&problem));
        let Some(found) = &found else { panic!("left open: {}", context()) };
        assert_eq!(found.verdict, expected.verdict, "{}", context());
        assert_eq!((&found.best, &found.right), (&expected.best, &expected.right), "{}", context());
        done += 1;
        match expected.verdict {
            Verdict::Lives => lives += 1,
            Verdict::Dies => dies += 1,
            Verdict::Ko { needs, .. } => kos[needs] += 1,
        }
    }
    assert!(lives > 300 && dies > 600 && kos[1] > 100 && kos[2] > 3, "{lives} {dies} {kos:?}");
}
