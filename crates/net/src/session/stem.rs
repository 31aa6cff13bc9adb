//! The first layer of an evaluation.

use super::run::run_rows;
use super::{Buffers, Input, Session};
use crate::kernel::finish::{Finish, Raw};
use crate::kernel::lanes::{Lanes, WIDTH};
use crate::kernel::rows::Gather;
use crate::kernel::stem::{Nonzero, Stem as StemKernel};
use crate::network::Stem;

impl Session {
    /// From inputs to the trunk.
    pub(super) fn stem(&mut self, inputs: &[Input<'_>]) {
        let stem = &self.network.stem;
        let (area, columns) = (self.size.area(), stem.columns);
        let Buffers { trunks, inputs: nonzeros, pooled, dense, transformed, products, .. } =
            &mut self.buffers;
        if let Some(layer) = &stem.from_globals {
            let rows = pooled.view_mut(layer.input_lanes);
            for (row, input) in rows.chunks_exact_mut(layer.input_lanes).skip(1).zip(inputs) {
                fill_globals(stem, input, row);
            }
            let finish = Finish { columns, raw: Raw::Set(dense.view_mut(columns)), active: None };
            run_rows(layer, pooled, inputs.len(), Gather::Same, transformed, products, finish);
        }
        for (board, input) in inputs.iter().enumerate() {
            let is_constant = find_nonzeros(stem, input, area, nonzeros);
            let added = match stem.from_globals {
                Some(_) => &dense.view(columns)[(board + 1) * columns..][..columns],
                None => &self.stem.zeros[..columns],
            };
            self.network.unit.exact().run(StemKernel {
                inputs: nonzeros,
                weights: &stem.weights,
                planes: stem.planes.len(),
                targets: &self.stem.targets,
                taps: self.stem.taps,
                base: if is_constant { &self.stem.constant } else { &self.stem.zeros },
                added,
                to: &mut trunks[0].view_mut(columns)[board * area * columns..][..(area + 1) * columns],
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

/// Lists the inputs that are not zero, but not those of the constant plane if it is what it should be: then the answer is true.
fn find_nonzeros(stem: &Stem, input: &Input<'_>, area: usize, list: &mut Vec<Nonzero>) -> bool {
    list.clear();
    let mut is_constant = false;
    match input {
        Input::Dense { planes, .. } => {
            for (plane, values) in planes.chunks_exact(area).enumerate() {
                if Some(plane) == stem.constant && values.iter().all(|&value| value == 1.0) {
                    is_constant = true;
                    continue;
                }
                let nonzero = values.iter().enumerate().filter(|(_, value)| **value != 0.0);
                list.extend(nonzero.map(|(point, &value)| Nonzero {
                    plane: plane as u32,
                    point: point as u32,
                    value,
                }));
            }
        }
        Input::Encoded(planes) => {
            for (plane, &number) in stem.planes.iter().enumerate() {
                let bit = 1u64 << number;
                let points = planes.points();
                if Some(plane) == stem.constant && points.iter().all(|point| point & bit != 0) {
                    is_constant = true;
                    continue;
                }
                let ones = points.iter().enumerate().filter(|(_, point)| **point & bit != 0);
                list.extend(ones.map(|(point, _)| Nonzero {
                    plane: plane as u32,
                    point: point as u32,
                    value: 1.0,
                }));
            }
        }
    }
    is_constant
}
