//! The first layer of an evaluation.

use super::run::run_direct;
use super::{Buffers, Input, Session};
use crate::kernel::direct::Field;
use crate::kernel::finish::{Finish, Raw};
use crate::kernel::lanes::{Lanes, WIDTH};
use crate::kernel::stem::{Nonzero, Stem as StemKernel};
use crate::network::Stem;

impl Session {
    /// From inputs to the trunk.
    pub(super) fn stem(&mut self, inputs: &[Input<'_>]) {
        let stem = &self.network.stem;
        let (area, columns) = (self.size.area(), stem.columns);
        let Buffers { trunks, inputs: nonzeros, starts, pooled, dense, scratch, .. } = &mut self.buffers;
        if let Some(layer) = &stem.from_globals {
            let rows = pooled.view_mut(layer.input_lanes);
            for (row, input) in rows.chunks_exact_mut(layer.input_lanes).skip(1).zip(inputs) {
                fill_globals(stem, input, row);
            }
            let finish = Finish { columns, raw: Raw::Set(dense.view_mut(columns)), active: None };
            run_direct(layer, pooled, Field::Rows(inputs.len()), scratch, finish);
        }
        for (board, input) in inputs.iter().enumerate() {
            let is_constant = find_nonzeros(stem, input, area, nonzeros, starts);
            let added = match stem.from_globals {
                Some(_) => &dense.view(columns)[(board + 1) * columns..][..columns],
                None => &self.stem.zeros[..columns],
            };
            self.network.unit.run(StemKernel {
                inputs: nonzeros,
                starts,
                weights: &stem.weights,
                planes: stem.planes.len(),
                sources: &self.stem.sources,
                taps: self.stem.taps,
                base: if is_constant { &self.stem.constant } else { &self.stem.zeros },
                added,
                to: &mut trunks[0].view_mut(columns)[(1 + board * area) * columns..][..area * columns],
                columns,
            });
        }
    }
}

fn fill_globals(stem: &Stem, input: &Input<'_>, row: &mut [Lanes]) {
    match input {
        Input::Dense { globals, .. } => Lanes::fill(row, globals),
        Input::Encoded(planes) => {
            row.fill(Lanes::ZERO);
            for (place, &global) in stem.globals.iter().enumerate() {
                row[place / WIDTH].0[place % WIDTH] = planes.globals()[global];
            }
        }
    }
}

/// Lists the inputs that are not zero, point by point, but not those of the constant plane if it is what it should be: then the answer
/// is true.
fn find_nonzeros(
    stem: &Stem,
    input: &Input<'_>,
    area: usize,
    list: &mut Vec<Nonzero>,
    starts: &mut Vec<u32>,
) -> bool {
    let is_constant = stem.constant.is_some_and(|plane| match input {
        Input::Dense { planes, .. } => planes[plane * area..][..area].iter().all(|&value| value == 1.0),
        Input::Encoded(planes) => planes.points().iter().all(|point| point >> stem.planes[plane] & 1 == 1),
    });
    let skipped = stem.constant.filter(|_| is_constant);
    list.clear();
    starts.clear();
    starts.push(0);
    for point in 0..area {
        match input {
            Input::Dense { planes, .. } => {
                let values = planes.iter().skip(point).step_by(area).enumerate();
                let nonzero = values.filter(|&(plane, &value)| value != 0.0 && Some(plane) != skipped);
                list.extend(nonzero.map(|(plane, &value)| Nonzero { plane: plane as u32, value }));
            }
            Input::Encoded(planes) => {
                let bits = planes.points()[point];
                let numbers = stem.planes.iter().enumerate();
                let ones =
                    numbers.filter(|&(plane, number)| bits >> number & 1 == 1 && Some(plane) != skipped);
                list.extend(ones.map(|(plane, _)| Nonzero { plane: plane as u32, value: 1.0 }));
            }
        }
        starts.push(list.len() as u32);
    }
    is_constant
}
