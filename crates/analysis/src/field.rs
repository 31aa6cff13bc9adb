//! Taking fields out of a JSON object: whatever is left over at the end was not understood.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

/// What is wrong with a message, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// The field, if it is one.
    pub(crate) field: Option<String>,
    /// What is wrong, for people.
    pub(crate) problem: String,
}

impl Complaint {
    pub(crate) fn of(field: &str, problem: impl Display) -> Complaint {
        Complaint { field: Some(field.to_owned()), problem: problem.to_string() }
    }
}

/// The fields of a message that nobody has taken yet.
pub(crate) struct Fields {
    left: Map<String, Value>,
    /// Stands before the names in complaints.
    prefix: &'static str,
}

impl Fields {
    pub(crate) fn new(object: Map<String, Value>, prefix: &'static str) -> Fields {
        Fields { left: object, prefix }
    }

    /// A complaint about one of the fields.
    pub(crate) fn complain<T>(&self, name: &str, problem: impl Display) -> Result<T, Complaint> {
        Err(Complaint::of(&self.full_name(name), problem))
    }

    pub(crate) fn full_name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// A field as it is; `null` is the same as nothing.
    pub(crate) fn value(&mut self, name: &str) -> Option<Value> {
        self.left.remove(name).filter(|value| !value.is_null())
    }

    pub(crate) fn switch(&mut self, name: &str) -> Result<Option<bool>, Complaint> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Bool(switch)) => Ok(Some(switch)),
            Some(_) => self.complain(name, "must be true or false"),
        }
    }

    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, Complaint> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => self.complain(name, "must be a string"),
        }
    }

    pub(crate) fn integer(
        &mut self,
        name: &str,
        bounds: RangeInclusive<i64>,
    ) -> Result<Option<i64>, Complaint> {
        let Some(value) = self.value(name) else { return Ok(None) };
        match integer_of(&value).filter(|number| bounds.contains(number)) {
            Some(number) => Ok(Some(number)),
            None => {
                self.complain(name, format!("must be an integer from {} to {}", bounds.start(), bounds.end()))
            }
        }
    }

    pub(crate) fn number(
        &mut self,
        name: &str,
        bounds: RangeInclusive<f64>,
    ) -> Result<Option<f64>, Complaint> {
        let Some(value) = self.value(name) else { return Ok(None) };
        match value.as_f64().filter(|number| bounds.contains(number)) {
            Some(number) => Ok(Some(number)),
            None => {
                self.complain(name, format!("must be a number from {} to {}", bounds.start(), bounds.end()))
            }
        }
    }

    pub(crate) fn list(&mut self, name: &str) -> Result<Option<Vec<Value>>, Complaint> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Array(list)) => Ok(Some(list)),
            Some(_) => self.complain(name, "must be an array"),
        }
    }

    pub(crate) fn object(&mut self, name: &str) -> Result<Option<Map<String, Value>>, Complaint> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(object)),
            Some(_) => self.complain(name, "must be an object"),
        }
    }

    pub(crate) fn integers(
        &mut self,
        name: &str,
        bounds: RangeInclusive<i64>,
    ) -> Result<Option<Vec<i64>>, Complaint> {
        let Some(list) = self.list(name)? else { return Ok(None) };
        let numbers: Option<Vec<i64>> =
            list.iter().map(|value| integer_of(value).filter(|number| bounds.contains(number))).collect();
        match numbers {
            Some(numbers) => Ok(Some(numbers)),
            None => self.complain(
                name,
                format!("must be an array of integers from {} to {}", bounds.start(), bounds.end()),
            ),
        }
    }

    /// The names of what nobody has taken.
    pub(crate) fn leftovers(&self) -> impl Iterator<Item = String> + '_ {
        self.left.keys().map(|name| self.full_name(name))
    }
}

/// A whole number, also if it was written with a decimal point.
fn integer_of(value: &Value) -> Option<i64> {
    let whole = |number: &f64| number.fract() == 0.0 && number.abs() < 9e15;
    value.as_i64().or_else(|| value.as_f64().filter(whole).map(|number| number as i64))
}
