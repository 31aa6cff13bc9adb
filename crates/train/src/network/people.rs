//! Networks that learn who plays, after they have learned to play.

use tesuji_net::model::{InputSet, Model};

/// The same network with inputs for people: it says what it said before whoever plays, until it has learned to use them. Nothing for networks that
/// read other sets.
pub fn with_people(mut model: Model) -> Option<Model> {
    let globals = model.trunk.globals.as_mut()?;
    if model.input.set != InputSet::Katago7 || globals.inputs != model.input.globals.len() {
        return None;
    }
    model.input.set = InputSet::People;
    model.input.globals.extend(InputSet::Katago7.globals()..InputSet::People.globals());
    globals.inputs = model.input.globals.len();
    globals.weights.resize(globals.inputs * globals.outputs, 0.0);
    Some(model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_net::model::{ResidualPlan, paper_policy, residual};

    #[test]
    fn a_network_can_be_told_of_people() {
        let mut model = residual("small", &ResidualPlan::new(2, 8));
        model.allocate().unwrap();
        let told = with_people(model.clone()).unwrap();
        told.check().unwrap();
        assert_eq!((told.input.set, told.input.globals.len()), (InputSet::People, 100));
        assert_eq!(told.parameters() - model.parameters(), 81 * 8);
        assert!(with_people(told).is_none() && with_people(paper_policy(9, 9)).is_none());
    }
}
