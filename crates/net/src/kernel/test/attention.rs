//! Attention.

use super::{Comparison, Random, number, rows, units};
use crate::kernel::attention::{Attend, Heads, Turns};
use crate::kernel::lanes::{Lanes, WIDTH};

#[test]
fn all_queries_are_answered() {
    for (name, unit) in units() {
        let mut random = Random(14);
        for round in 0..12 {
            let (boards, area) = (random.between(1, 3), random.between(4, 90));
            let kv_heads = random.between(1, 2);
            let heads = kv_heads * random.between(1, 3);
            let (key, value) = (2 * random.between(1, 2), random.between(1, 3));
            let sizes = Heads { heads, kv_heads, key, value };
            let stride = sizes.stride();
            let numbers: Vec<f32> =
                random.numbers(boards * area * stride * WIDTH).iter().map(|x| 2.0 * x).collect();
            let mut source = rows(&numbers, stride * WIDTH);
            let before = source.clone();
            let turns = (round % 2 == 0).then(|| {
                let angles = random.numbers(kv_heads * area * key / 2 * WIDTH);
                let lanes = |f: fn(f32) -> f32| {
                    let turned: Vec<f32> = angles.iter().map(|&angle| f(5.0 * angle)).collect();
                    rows(&turned, WIDTH).split_off(1)
                };
                Turns { cosine: lanes(f32::cos), sine: lanes(f32::sin) }
            });
            let mut to = vec![Lanes::ZERO; (1 + boards * area) * heads * value];
            unit.run(Attend {
                boards,
                area,
                heads: sizes,
                turns: turns.as_ref(),
                source: &mut source,
                scratch: &mut vec![Lanes([9.0; WIDTH]); sizes.scratch(area)],
                to: &mut to,
            });
            // Number `i` of the query or key in place `head` of a row, after its turn.
            let turned = |row: usize, head: usize, kv_head: usize, i: usize| {
                let x = |i: usize| number(&before, stride, row, head * key * WIDTH + i);
                let Some(turns) = &turns else { return x(i) };
                let half = key / 2 * WIDTH;
                let table = (kv_head * area + (row - 1) % area) * key / 2;
                let angle = |table: &[Lanes], place: usize, i: usize| number(table, 1, place, i);
                let (sine, cosine) =
                    (angle(&turns.sine, table, i % half), angle(&turns.cosine, table, i % half));
                if i < half { x(i) * cosine - x(i + half) * sine } else { x(i - half) * sine + x(i) * cosine }
            };
            let mut comparison = Comparison::default();
            for board in 0..boards {
                let points: Vec<usize> = (1 + board * area..1 + (board + 1) * area).collect();
                for head in 0..heads {
                    let kv_head = head / (heads / kv_heads);
                    for &row in points.iter().step_by(5) {
                        let query: Vec<f64> =
                            (0..key * WIDTH).map(|i| turned(row, head, kv_head, i)).collect();
                        let weights: Vec<f64> = points
                            .iter()
                            .map(|&other| {
                                let key =
                                    (0..key * WIDTH).map(|i| turned(other, heads + kv_head, kv_head, i));
                                query.iter().zip(key).map(|(q, k)| q * k).sum::<f64>()
                            })
                            .collect();
                        let top = weights.iter().copied().fold(f64::MIN, f64::max);
                        let weights: Vec<f64> = weights.iter().map(|weight| (weight - top).exp()).collect();
                        let sum: f64 = weights.iter().sum();
                        for i in (0..value * WIDTH).step_by(7) {
                            let place = ((heads + kv_heads) * key + kv_head * value) * WIDTH + i;
                            let values = points.iter().map(|&other| number(&before, stride, other, place));
                            let expected: f64 = weights.iter().zip(values).map(|(w, v)| w * v / sum).sum();
                            let found = number(&to, heads * value, row, head * value * WIDTH + i);
                            comparison.add(found, expected);
                        }
                    }
                }
            }
            comparison.check_exact(&format!("{name}: {sizes:?}, {boards} boards of {area}"));
        }
    }
}
