//! The signature of a search: a hash of all visit counts after a fixed number of simulations by one thread on fixed positions.
//!
//! A change that moves it changes how the engine plays and needs evidence; one that does not is a matter of speed or form.

use tesuji_board::{Game, Move, Rules, Size};
use tesuji_search::{Report, Simulations};

use crate::settings::Settings;

/// Simulations per position.
const SIMULATIONS: u64 = 1000;
/// Moves of the positions, on any board from 5×5: columns and rows from the near corner.
const GAMES: [&[(usize, usize)]; 3] =
    [&[], &[(2, 2), (3, 3), (2, 3), (3, 2)], &[(2, 2), (1, 2), (3, 2), (2, 1), (2, 3), (1, 3), (3, 1)]];

/// The signature of the search that the settings describe, on a board of this size.
pub fn signature(settings: &Settings, size: Size) -> u64 {
    let settings = Settings { threads: 1, stopwatch: None, ..settings.clone() };
    GAMES.iter().fold(0xcbf2_9ce4_8422_2325, |hash, moves| {
        let mut game = Game::new(size, Rules::default());
        for &(x, y) in *moves {
            if let Some(point) = size.point(x, y) {
                // On a board too small for the position a move may not be legal; the signature is then of what is left.
                let _ = game.play(game.to_move(), Move::Play(point));
            }
        }
        let mut searcher = settings.searcher(size).expect("settings are checked before they are used");
        searcher.search(&game, game.to_move(), &Simulations(SIMULATIONS));
        add_visits(hash, &searcher.report())
    })
}

/// FNV-1a over moves and visits.
fn add_visits(hash: u64, report: &Report) -> u64 {
    let numbers = report.moves.iter().flat_map(|mv| [u64::from(mv.mv.code()), mv.visits]);
    numbers.fold(hash, |hash, number| (hash ^ number).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::{PRESETS, Preset};

    /// On 9×9. A new number here is a change of strength, up or down: its commit says which, with the evidence.
    const PINNED: &[(&str, u64)] = &[
        ("flat", 0xc6198bada7d1c53d),
        ("uct-light", 0x490f6da5ad73e8d5),
        ("uct", 0x42d5e41a28a93a7d),
        ("puct", 0x210eaf1d0f571f01),
        ("proxy-light", 0x490f6da5ad73e8d5),
        ("proxy", 0x553c0ed4afdb6d61),
        ("puct-learned", 0xa630d1872fa40085),
        ("dfuct-light", 0x490f6da5ad73e8d5),
        ("dfuct-exact-light", 0x490f6da5ad73e8d5),
        ("dfuct", 0x118c69557a01f599),
        ("dfuct-exact", 0x210eaf1d0f571f01),
        ("dfuct-rave", 0x0946ee5e1e926b6d),
        ("dfuct-rave-light", 0x91cfafad0a6d4021),
        ("rave-light", 0xddf0f301077a4085),
        ("lgrf-0-light", 0xddf0f301077a4085),
        ("lgrf-1-light", 0x7e9e117d0d1c26c3),
        ("lgrf-2-light", 0x9843eb343956b6eb),
        ("lgrf-en-1-light", 0x5e5857391002de75),
        ("lgrf-en-2-light", 0xe72cb153e7892ed9),
        ("lgrf-classic-1-light", 0x41224039af42d373),
        ("lgrf-classic-2-light", 0x4853d3121ab98c9d),
        ("ppa-light", 0x65065ab3bbfa0935),
        ("lgrf-0", 0x7ed5ced87d948ab5),
        ("lgrf-1", 0x8cce1341d5c62bbb),
        ("lgrf-2", 0x2613b77829e22167),
        ("lgrf-en-1", 0x16b45df182544d97),
        ("lgrf-en-2", 0xbaa93f44e476fd69),
        ("lgrf-classic-1", 0xbb49e32f08fdfd5d),
        ("lgrf-classic-2", 0xa8b84a10d0e393e9),
        ("ppa", 0x654933c4a325a00b),
        ("rave-plain", 0x7ed5ced87d948ab5),
        ("rave", 0xa53e2155e4e2a7c5),
        ("rave-learned", 0x244fb3eb8c578dad),
    ];

    #[test]
    fn signatures_of_all_presets_are_pinned() {
        let size = Size::square(9).unwrap();
        // A network is not part of the program; what a search does with one is its own.
        let without_net = |preset: &&Preset| !preset.parameters().asks_network();
        let found: Vec<(&str, u64)> = PRESETS
            .iter()
            .filter(without_net)
            .map(|preset| (preset.name, signature(&Settings::of_preset(preset.name).unwrap(), size)))
            .collect();
        let rows: String =
            found.iter().map(|(name, number)| format!("(\"{name}\", 0x{number:016x}),\n")).collect();
        assert!(found == PINNED, "signatures are now\n{rows}");
    }
}
