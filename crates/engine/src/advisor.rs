//! The policy of a network as advice for the solver.

use crate::net::Net;
use tesuji_board::{Board, Color, Game, Rules};
use tesuji_net::Seat;
use tesuji_net::input::Line;
use tesuji_solve::Advisor;

/// Says which moves the program's own network thinks likely.
#[derive(Default)]
pub struct PolicyAdvisor {
    net: Net,
    seat: Option<Seat>,
}

impl Advisor for PolicyAdvisor {
    fn policy(&mut self, board: &Board, to_move: Color) -> Option<&[f32]> {
        let size = board.size();
        if self.seat.as_ref().is_none_or(|seat| seat.size() != size) {
            self.seat = self.net.wait(size)?.seat(size, 1);
        }
        let seat = self.seat.as_mut()?;
        let mut game = Game::new(size, Rules::default());
        let stones = size.points().filter_map(|point| Some((point, Some(board.color(point)?))));
        game.set_up(stones, to_move).ok()?;
        seat.add(&Line::from_game(&game, to_move).view(), 0);
        seat.evaluate(0.0).ok()?;
        Some(&seat.evaluation(0).policy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::Size;

    #[test]
    fn the_network_of_the_program_advises_where_there_is_one() {
        let mut advisor = PolicyAdvisor::default();
        for side in [9, 13, 9] {
            let mut board = Board::new(Size::square(side).unwrap());
            let corner = board.size().points().next().unwrap();
            board.set_up(corner, Color::White);
            let policy = advisor.policy(&board, Color::Black).unwrap();
            assert_eq!((policy.len(), policy[board.size().ordinal(corner)]), (side * side, 0.0));
            assert!(policy.iter().sum::<f32>() > 0.5, "{side}");
        }
        assert!(advisor.policy(&Board::new(Size::square(5).unwrap()), Color::Black).is_none());
    }
}
