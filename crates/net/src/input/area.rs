//! Whose area a point is, as KataGo's networks are told: stones that cannot be captured, what they surround for sure, and
//! what only one colour touches.
//!
//! Nobody judges life and death here. Benson's theorem says which chains live whatever happens; of the rest, stones count for
//! their owner, and an empty region for the colour that alone borders it.

use tesuji_board::{Board, Cell, Color, LifeProof, Point, PointMap, PointSet, Regions, Size, Suicide, Tax};

/// Finds areas; keeps its memory from one position to the next.
#[derive(Clone)]
pub(super) struct Reader {
    proof: LifeProof,
    pieces: Regions,
    /// The colour whose point it is; `Empty` is nobody.
    owners: PointMap<Cell>,
}

impl Reader {
    pub(super) fn new(size: Size) -> Reader {
        Reader {
            proof: LifeProof::new(size),
            pieces: Regions::none(size),
            owners: PointMap::filled(Cell::Empty),
        }
    }

    /// The owner of every point of the board; with a tax, points in seki have none.
    pub(super) fn read(&mut self, board: &Board, suicide: Suicide, tax: Tax) -> &PointMap<Cell> {
        for point in board.size().points() {
            self.owners[point] = Cell::Empty;
        }
        for color in Color::BOTH.into_iter().filter(|&color| board.stone_count(color) > 0) {
            self.proof.prove(board, color, suicide);
            self.mark(board, color);
        }
        for point in board.size().points() {
            if self.owners[point] == Cell::Empty {
                self.owners[point] = board.cell(point);
            }
        }
        if tax != Tax::None {
            self.remove_sekis(board);
        }
        &self.owners
    }

    /// Marks what is `color`'s for sure, and what only `color` borders unless it is marked already.
    fn mark(&mut self, board: &Board, color: Color) {
        let own = color.cell();
        for (stone, _) in board.chain_representatives().filter(|&(_, owner)| owner == color) {
            let chain = board.chain_at(stone);
            if self.proof.is_alive(chain) {
                for stone in board.stones(chain) {
                    self.owners[stone] = own;
                }
            }
        }
        for (number, region) in self.proof.regions().iter().enumerate() {
            let has_opponent = region.iter().any(|&point| !board.is_empty(point));
            // With two points out of touch the opponent might make two eyes.
            let is_inner = |&&point: &&Point| board.neighborhood(point).sides_of(color) == 0;
            let is_sure = self.proof.is_enclosed(number)
                && (!has_opponent || region.iter().filter(is_inner).nth(1).is_none());
            if is_sure {
                region.iter().for_each(|&point| self.owners[point] = own);
            } else if !has_opponent {
                for &point in region {
                    if self.owners[point] == Cell::Empty {
                        self.owners[point] = own;
                    }
                }
            }
        }
    }

    /// Takes all but its stones from a connected area that is short of liberties or touches a point of nobody.
    fn remove_sekis(&mut self, board: &Board) {
        let mut lost = PointSet::EMPTY;
        for color in Color::BOTH {
            let own = color.cell();
            let owners = &self.owners;
            self.pieces.find_again(board.size(), |point| owners[point] == own);
            let is_open = |&point: &Point| {
                let in_atari = board.cell(point) == own && board.liberty_count(board.chain_at(point)) == 1;
                in_atari || board.sides(point, Cell::Empty).any(|side| owners[side] == Cell::Empty)
            };
            for piece in self.pieces.iter().filter(|piece| piece.iter().any(is_open)) {
                lost.extend(piece.iter().copied().filter(|&point| board.cell(point) != own));
            }
        }
        for point in lost.iter() {
            self.owners[point] = Cell::Empty;
        }
    }
}
