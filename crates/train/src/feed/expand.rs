//! Makes planes and targets of positions.

use crate::sample::{GameSample, Label, Place, SampleSet};
use crate::target::Batch;
use tesuji_board::{Color, Game, Rules, Size};
use tesuji_net::input::{Encoder, Layout, Line, People, Planes, Turn, Turns};
use tesuji_net::model::{Input, Model};

/// Which of the things that are known about a position count how much.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mix {
    /// Weight of the move that was played, as the target of positions whose labels name no moves; 0 ignores it.
    pub played_move: f32,
    /// Share of the game's result in the target where a label has an opinion too, from 0 to 1.
    pub result_share: f32,
    /// Weight of the game's result and score where no label has an opinion.
    pub result: f32,
}

impl Default for Mix {
    fn default() -> Mix {
        Mix { played_move: 1.0, result_share: 0.0, result: 1.0 }
    }
}

/// Makes batches for one kind of input.
pub(crate) struct Expander {
    input: Input,
    /// The rules that the network is told, if it knows no others.
    assumed_rules: Option<Rules>,
    mix: Mix,
    tools: Option<Tools>,
}

/// What boards of one size need.
struct Tools {
    size: Size,
    encoder: Encoder,
    planes: Planes,
    turned: Planes,
    turns: Turns,
}

impl Expander {
    pub(crate) fn new(model: &Model, mix: Mix) -> Expander {
        let assumed_rules = model.provenance.only_rules();
        Expander { input: model.input.clone(), assumed_rules, mix, tools: None }
    }

    /// Fills a batch with positions of one board size, each turned by a symmetry.
    pub(crate) fn fill(&mut self, set: &SampleSet, size: Size, drawn: &[(Place, usize)], batch: &mut Batch) {
        batch.clear(size, drawn.len(), self.input.planes.len(), self.input.globals.len());
        for (position, &(place, symmetry)) in drawn.iter().enumerate() {
            // Sets hold games that were read and played out before: an error here leaves a position that teaches nothing.
            if let Ok(sample) = set.game(place)
                && sample.size == size
                && let Some(game) = position_of(&sample, place.turn)
            {
                self.planes(&game, shown_people(&sample, place, symmetry), symmetry, position, batch);
                let tools = self.tools.as_ref();
                let turn = tools.map(|tools| tools.turns.get(symmetry));
                if let Some(turn) = turn {
                    targets(&sample, place.turn, game.to_move(), self.mix, turn, position, batch);
                }
            }
        }
    }

    fn planes(&mut self, game: &Game, people: People, symmetry: usize, position: usize, batch: &mut Batch) {
        let size = batch.size;
        if self.tools.as_ref().is_none_or(|tools| tools.size != size) {
            self.tools = Some(Tools {
                size,
                encoder: Encoder::new(&self.input, size).assuming(self.assumed_rules),
                planes: Planes::new(size),
                turned: Planes::new(size),
                turns: Turns::of(size),
            });
        }
        let Some(tools) = &mut self.tools else { return };
        let line = Line::from_game(game, game.to_move());
        tools.encoder.set_people(people);
        tools.encoder.encode(&line.view(), &mut tools.planes);
        tools.turned.turn_from(&tools.planes, tools.turns.get(symmetry));
        let (planes, globals) = (self.input.planes.len(), self.input.globals.len());
        let each = size.area() * planes;
        let layout = Layout::ChannelLast { channels: planes };
        // Both lists have the length of the batch that was cleared above.
        _ = tools.turned.write_planes(
            &self.input.planes,
            layout,
            &mut batch.planes[position * each..][..each],
        );
        let globals = &mut batch.globals[position * globals..][..globals];
        _ = tools.turned.write_globals(&self.input.globals, globals);
    }
}

/// What is shown of the players. One position in eight hides the opponent's rank and one in eight both, so that a network can also be asked
/// about strangers; which ones follows from the position and its symmetry, so that a run can be repeated.
fn shown_people(sample: &GameSample, place: Place, symmetry: usize) -> People {
    let Some(people) = sample.people else { return People::default() };
    let mover = sample.to_move(place.turn.into());
    let number = (u64::from(place.game) << 20 | u64::from(place.turn) << 3 | symmetry as u64) + 1;
    match number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61 {
        0 => people.without(mover).without(!mover),
        1 => people.without(!mover),
        _ => people,
    }
}

/// The game after so many moves.
fn position_of(sample: &GameSample, turn: u16) -> Option<Game> {
    let mut game = sample.start().ok()?;
    for &(color, mv) in sample.moves.get(..usize::from(turn))? {
        game.play(color, mv).ok()?;
    }
    Some(game)
}

/// Fills in what is known about the position after `turn` moves.
fn targets(
    sample: &GameSample,
    turn: u16,
    color: Color,
    mix: Mix,
    symmetry: &Turn,
    position: usize,
    batch: &mut Batch,
) {
    let targets = &mut batch.targets;
    let label_at = |turn: u16| sample.labels.iter().find(|label| label.turn == turn);
    let label = label_at(turn);
    moves(sample, turn, label, mix, symmetry, targets.policy.of_mut(position));
    // The answer to what was really played.
    let next = turn.saturating_add(1);
    if usize::from(turn) < sample.moves.len() && sample.to_move(next.into()) != color {
        moves(sample, next, label_at(next), mix, symmetry, targets.reply.of_mut(position));
    }

    let result = sample.end.outcome(color);
    let thought = label.and_then(|label| label.outcome);
    let (outcome, weight) = targets.outcome.of_mut(position);
    match (thought, result) {
        (Some(thought), Some(result)) => {
            for ((to, thought), result) in outcome.iter_mut().zip(thought).zip(result) {
                *to = thought + mix.result_share * (result - thought);
            }
            *weight = 1.0;
        }
        (Some(thought), None) => {
            outcome.copy_from_slice(&thought);
            *weight = 1.0;
        }
        (None, Some(result)) => {
            outcome.copy_from_slice(&result);
            *weight = mix.result;
        }
        (None, None) => (),
    }

    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    let counted = match sample.end {
        crate::sample::GameEnd::Score(lead) => Some(sign * lead),
        _ => None,
    };
    let single = |target: &mut crate::target::Weighted, known: Option<f32>, fallback: Option<f32>| {
        let (values, weight) = target.of_mut(position);
        if let Some(known) = known {
            (values[0], *weight) = (known, 1.0);
        } else if let Some(fallback) = fallback {
            (values[0], *weight) = (fallback, mix.result);
        }
    };
    single(&mut targets.score, label.and_then(|label| label.score), counted);
    single(&mut targets.deviation, label.and_then(|label| label.deviation), None);
    // A game's score is one draw from what the lead is the middle of.
    single(&mut targets.lead, label.and_then(|label| label.lead), counted);

    let (ownership, weight) = targets.ownership.of_mut(position);
    let mut owners = |values: &[i8], factor: f32, trust: f32| {
        if !values.is_empty() {
            for (&owner, &place) in values.iter().zip(symmetry.places()) {
                ownership[usize::from(place)] = (f32::from(owner) * factor).clamp(-1.0, 1.0);
            }
            *weight = trust;
        }
    };
    match label {
        Some(label) if !label.ownership.is_empty() => owners(&label.ownership, 1.0 / 127.0, 1.0),
        _ => owners(&sample.black_ownership, sign, mix.result),
    }
}

/// Fills in the moves of the position after `turn` moves.
fn moves(
    sample: &GameSample,
    turn: u16,
    label: Option<&Label>,
    mix: Mix,
    symmetry: &Turn,
    (values, weight): (&mut [f32], &mut f32),
) {
    let area = sample.size.area();
    let place = |code: usize| symmetry.places().get(code).map_or(area, |&place| usize::from(place));
    match label.filter(|label| !label.policy.is_empty()) {
        Some(label) => {
            let sum: f32 = label.policy.iter().map(|prior| f32::from(prior.share)).sum();
            if sum > 0.0 {
                for prior in &label.policy {
                    values[place(prior.code.into())] = f32::from(prior.share) / sum;
                }
                *weight = 1.0;
            }
        }
        None => {
            if let Some((_, mv)) = sample.moves.get(usize::from(turn)) {
                let code = mv.point().map_or(area, |point| sample.size.ordinal(point));
                values[place(code)] = 1.0;
                *weight = mix.played_move;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{GameEnd, MovePrior, Side};
    use tesuji_board::Move;
    use tesuji_net::model::{ResidualPlan, residual};

    fn size() -> Size {
        Size::square(5).unwrap()
    }

    /// B at (1, 0), W at (3, 2), then a pass of Black's.
    fn game() -> GameSample {
        let at = |x, y| Move::Play(size().point(x, y).unwrap());
        let mut game = GameSample::new(size(), Rules { komi: 6.5, ..Rules::default() });
        game.moves = vec![(Color::Black, at(1, 0)), (Color::White, at(3, 2)), (Color::Black, Move::Pass)];
        game
    }

    fn expand(game: &GameSample, turn: u16, symmetry: usize, mix: Mix) -> Batch {
        let mut set = SampleSet::default();
        assert!(set.add(game, Side::Training) > 0);
        let mut batch = Batch::new(size(), 0, 0, 0);
        let mut expander = Expander::new(&residual("test", &ResidualPlan::new(1, 4)), mix);
        let place = Place { game: 0, turn };
        expander.fill(&set, size(), &[(place, symmetry)], &mut batch);
        batch
    }

    /// Points of a plane that are 1.
    fn ones(batch: &Batch, plane: usize) -> Vec<usize> {
        (0..25).filter(|point| batch.planes[point * 22 + plane] == 1.0).collect()
    }

    #[test]
    fn planes_are_those_of_the_side_to_move() {
        let batch = expand(&game(), 2, 0, Mix::default());
        // Black to move: its stone is at number 1, White's at 2·5 + 3.
        assert_eq!((ones(&batch, 1), ones(&batch, 2), ones(&batch, 9)), (vec![1], vec![13], vec![13]));
        assert_eq!(batch.globals[5], -6.5 / 20.0);
        let batch = expand(&game(), 1, 0, Mix::default());
        assert_eq!((ones(&batch, 1), ones(&batch, 2)), (vec![], vec![1]));
    }

    #[test]
    fn games_without_labels_teach_moves_replies_and_results() {
        let mut game = game();
        game.end = GameEnd::Score(-3.5);
        game.black_ownership = (0..25).map(|point| if point < 5 { 1 } else { -1 }).collect();
        let mix = Mix { played_move: 0.5, result: 0.25, ..Mix::default() };
        let batch = expand(&game, 1, 0, mix);
        let targets = &batch.targets;
        // White moves, and wins by 3.5.
        assert_eq!((targets.policy.values[13], targets.policy.weights[0]), (1.0, 0.5));
        assert_eq!((targets.reply.values[25], targets.reply.weights[0]), (1.0, 0.5));
        assert_eq!((&targets.outcome.values[..], targets.outcome.weights[0]), (&[1.0, 0.0, 0.0][..], 0.25));
        assert_eq!((targets.score.values[0], targets.lead.values[0]), (3.5, 3.5));
        assert_eq!((targets.ownership.values[0], targets.ownership.values[24]), (-1.0, 1.0));
        assert_eq!(targets.deviation.weights[0], 0.0);
        // The last position has a move, a pass, and no reply.
        let batch = expand(&game, 2, 0, mix);
        assert_eq!((batch.targets.policy.values[25], batch.targets.reply.weights[0]), (1.0, 0.0));
        assert_eq!(batch.targets.outcome.values, [0.0, 1.0, 0.0]);
        assert_eq!(batch.targets.score.values, [-3.5]);
    }

    #[test]
    fn labels_go_before_what_was_played_and_turn_with_the_board() {
        let mut game = game();
        game.end = GameEnd::Win(Color::White);
        let mut ownership = vec![0; 25];
        ownership[1] = 127;
        game.labels = vec![
            Label {
                turn: 0,
                policy: vec![MovePrior::new(1, 0.6), MovePrior::new(25, 0.2)],
                outcome: Some([0.8, 0.2, 0.0]),
                score: Some(4.0),
                deviation: Some(9.0),
                lead: Some(2.0),
                ownership,
            },
            Label { turn: 1, policy: vec![MovePrior::new(3, 1.0)], ..Label::default() },
        ];
        let mix = Mix { result_share: 0.5, ..Mix::default() };
        // Symmetry 4 transposes: number 1, in the first row, goes to the second row.
        let batch = expand(&game, 0, 4, mix);
        let targets = &batch.targets;
        assert!((targets.policy.values[5] - 0.75).abs() < 1e-3);
        assert!((targets.policy.values[25] - 0.25).abs() < 1e-3);
        assert_eq!(targets.reply.values[15], 1.0);
        assert!(
            (targets.outcome.values[0] - 0.4).abs() < 1e-4 && (targets.outcome.values[1] - 0.6).abs() < 1e-4
        );
        assert_eq!(
            (targets.score.values[0], targets.deviation.values[0], targets.lead.values[0]),
            (4.0, 9.0, 2.0)
        );
        assert_eq!(targets.ownership.values[5], 1.0);
        assert_eq!(targets.ownership.weights[0], 1.0);
        // Symmetry 2 mirrors left and right.
        let batch = expand(&game, 0, 2, mix);
        assert!(batch.targets.policy.values[3] > 0.7 && batch.targets.reply.values[1] == 1.0);
    }

    /// What a net sees and what it is to say turn alike: the stone just played is where its target was.
    #[test]
    fn planes_and_targets_turn_together() {
        for symmetry in 0..8 {
            let before = expand(&game(), 0, symmetry, Mix::default());
            let after = expand(&game(), 1, symmetry, Mix::default());
            let target: Vec<usize> = (0..26).filter(|&p| before.targets.policy.values[p] == 1.0).collect();
            assert_eq!(target, ones(&after, 2), "symmetry {symmetry}");
        }
    }
}
