//! Gammas as one list of numbers, their logarithms.

use std::collections::HashMap;
use tesuji_search::playout::{Features, GROUPS, GammaTable};

/// What each number of the list stands for: the values of groups, then neighbourhoods, then MD2 patterns, those that a table has.
#[derive(Clone, Debug)]
pub struct Parameters {
    first: GammaTable,
    /// By group: the place of its value 0, which has no number of its own.
    values: [usize; GROUPS.len()],
    near: HashMap<u16, u32>,
    md2: HashMap<u32, u32>,
    count: usize,
}

impl Parameters {
    /// Those of a table.
    pub fn new(first: GammaTable) -> Parameters {
        let mut count = 0;
        let values = GROUPS.each_ref().map(|group| {
            count += group.values.len();
            count - group.values.len()
        });
        let near = first.near.iter().zip(count as u32..).map(|((code, _), place)| (code.0, place)).collect();
        count += first.near.len();
        let md2 = first.md2.iter().zip(count as u32..).map(|((code, _), place)| (code.0, place)).collect();
        count += first.md2.len();
        Parameters { first, values, near, md2, count }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The logarithms of the gammas of the table, each divided by a temperature.
    pub fn logs(&self, temperature: f64) -> Vec<f64> {
        let of_groups =
            GROUPS.iter().zip(&self.first.values).flat_map(|(group, gammas)| &gammas[..group.values.len()]);
        let near = self.first.near.iter().map(|(_, gamma)| gamma);
        let md2 = self.first.md2.iter().map(|(_, gamma)| gamma);
        of_groups.chain(near).chain(md2).map(|&gamma| f64::from(gamma).ln() / temperature).collect()
    }

    /// The table with other gammas.
    pub fn table(&self, logs: &[f64], provenance: &str) -> GammaTable {
        let mut table = GammaTable { provenance: provenance.to_owned(), ..self.first.clone() };
        let mut gammas = logs.iter().map(|log| log.exp() as f32);
        let of_groups = GROUPS
            .iter()
            .zip(&mut table.values)
            .flat_map(|(group, gammas)| &mut gammas[..group.values.len()]);
        let near = table.near.iter_mut().map(|(_, gamma)| gamma);
        let md2 = table.md2.iter_mut().map(|(_, gamma)| gamma);
        of_groups.chain(near).chain(md2).zip(&mut gammas).for_each(|(to, gamma)| *to = gamma);
        table
    }

    /// Calls `visit` with the places of the gammas that the rate of a move is the product of.
    pub(super) fn visit(&self, features: &Features, mut visit: impl FnMut(u32)) {
        for (first, &value) in self.values.iter().zip(&features.values) {
            if value > 0 {
                visit((first + usize::from(value)) as u32);
            }
        }
        self.near.get(&features.near.0).copied().into_iter().for_each(&mut visit);
        self.md2.get(&features.md2.0).copied().into_iter().for_each(&mut visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Md2, Neighborhood};

    #[test]
    fn tables_come_back_and_features_find_their_gammas() {
        let mut table = GammaTable::flat("a test");
        (table.values[0][3], table.values[6][11]) = (2.0, 3.0);
        table.near = vec![(Neighborhood(0), 0.5), (Neighborhood(1), 5.0)];
        table.md2 = vec![(Md2(0), 0.25), (Md2(0x1_0000), 7.0)];
        let parameters = Parameters::new(table.clone());
        let logs = parameters.logs(1.0);
        assert_eq!(logs.len(), parameters.count());
        let back = parameters.table(&logs, "a test");
        assert!(back.md2.iter().zip(&table.md2).all(|(a, b)| (a.1 - b.1).abs() < 1e-5));
        let product = |near, md2, values, temperature| {
            let mut sum = 0.0;
            let features = Features { near: Neighborhood(near), md2: Md2(md2), values };
            let logs = parameters.logs(temperature);
            parameters.visit(&features, |place| sum += logs[place as usize]);
            f64::exp(sum)
        };
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-4, "{found} {wanted}");
        near(product(1, 0x1_0000, [3, 0, 0, 0, 0, 0, 11], 1.0), 2.0 * 3.0 * 5.0 * 7.0);
        near(product(1, 0x1_0000, [3, 0, 0, 0, 0, 0, 0], 0.5), (2.0 * 5.0 * 7.0_f64).powi(2));
        near(product(9, 9, [0; GROUPS.len()], 1.0), 1.0);
    }
}
