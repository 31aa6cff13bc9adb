//! Networks in KataGo's files: `.bin.gz` and `.txt.gz`, packed or not, model versions 8 to 15.
//!
//! The format is a sequence of words with lists of numbers between them; names of layers are free text. Files come from
//! strangers, so whatever is wrong with one is an error that names the layer, and memory is bounded by the size of the file.
//! Facts about the format come from the files and from KataGo's published description of its networks (Wu 2019).

mod layer;
mod source;

pub use source::{Fault, ReadError};

use std::ops::RangeInclusive;

use crate::model::{
    Boards, Family, Input, InputSet, MAX_BLOCKS, Model, PassHead, PolicyHead, PolicyOutput, PooledPolicy,
    PooledValue, Provenance, Scaling, ScoreHead, ScoreOutput, Tip, Trunk, ValueHead,
};
use layer::Layers;
use source::Source;

/// The model versions that can be read.
pub const VERSIONS: RangeInclusive<u32> = 8..=15;
/// The beginning of the names of the public g170 nets, which were released into the public domain.
const G170: &str = "g170";

/// Reads a network from the bytes of a file.
pub fn read(bytes: &[u8]) -> Result<Model, ReadError> {
    let mut source = Source::new(bytes);
    let name = source.word("the name of the network")?;
    let version = source.integer("a version number", u32::MAX as usize)? as u32;
    if !VERSIONS.contains(&version) {
        return Err(source.error(Fault::Version(version)));
    }
    let mut input = Input::all(InputSet::Katago7);
    for (what, expected) in [("planes", input.planes.len()), ("global inputs", input.globals.len())] {
        let found = source.integer(what, usize::MAX)?;
        if found != expected {
            return Err(source.error(Fault::Unsupported(format!("a network that reads {found} {what}"))));
        }
    }
    let scaling = if version >= 13 { scaling(&mut source)? } else { Scaling::default() };
    if version >= 15 {
        if source.integer("version of the metadata encoder", usize::MAX)? != 0 {
            let what = "a network that imitates players and needs to be told which".to_owned();
            return Err(source.error(Fault::Unsupported(what)));
        }
        input.area_with_suicide = source.flag("how areas are computed")?;
        source.zeros("header field", 6)?;
    }
    let mut layers = Layers { source, version };
    let trunk = trunk(&mut layers)?;
    let policy = policy(&mut layers)?;
    let value = value(&mut layers)?;
    layers.source.finish()?;
    let provenance = provenance(&name);
    let model = Model {
        name,
        family: Family::Katago { version },
        boards: Boards::Any,
        input,
        trunk,
        policy: Some(PolicyHead::Pooled(policy)),
        value: Some(ValueHead::Pooled(value)),
        scaling,
        provenance,
    };
    match model.check() {
        Ok(()) => Ok(model),
        Err(error) => Err(ReadError { layer: "network".to_owned(), fault: Fault::Check(error) }),
    }
}

/// What is publicly known of a network by its name; the file itself says nothing.
fn provenance(name: &str) -> Provenance {
    if name.starts_with(G170) {
        Provenance {
            origin: "KataGo's g170 run, by its name".to_owned(),
            licence: "CC0".to_owned(),
            ..Provenance::default()
        }
    } else {
        Provenance { origin: "a KataGo network file".to_owned(), ..Provenance::default() }
    }
}

fn scaling(source: &mut Source<'_>) -> Result<Scaling, ReadError> {
    let mut next = |what| {
        let factor = source.number(what)?;
        if factor > 0.0 {
            Ok(factor)
        } else {
            Err(source.error(Fault::Range { what, found: factor.to_string() }))
        }
    };
    Ok(Scaling {
        td_score: next("td score multiplier")?,
        score_mean: next("score mean multiplier")?,
        score_stdev: next("score stdev multiplier")?,
        lead: next("lead multiplier")?,
        variance_time: next("variance time multiplier")?,
        short_term_value_error: next("short-term value error multiplier")?,
        short_term_score_error: next("short-term score error multiplier")?,
    })
}

fn trunk(layers: &mut Layers<'_>) -> Result<Trunk, ReadError> {
    let source = &mut layers.source;
    source.name("trunk")?;
    let count = source.integer("number of blocks", MAX_BLOCKS)?;
    let channels = layer::channels(source)?;
    // Channels inside of blocks, in general: every layer repeats its own.
    for what in ["middle channels", "regular channels", "dilated channels", "pooled channels"] {
        source.integer(what, usize::MAX)?;
    }
    let tip_is_rms = layers.version >= 15 && layers.source.flag("kind of the final norm")?;
    if layers.version >= 15 {
        layers.source.zeros("trunk field", 5)?;
    }
    let stem = layers.conv()?;
    let globals = Some(layers.matmul()?);
    let mut blocks = Vec::new();
    for _ in 0..count {
        blocks.push(layers.block(0)?);
    }
    let norm = if tip_is_rms { layers.final_rms_norm()? } else { layers.batch_norm()?.into() };
    let tip = Some(Tip { norm, activation: layers.activation()? });
    Ok(Trunk { channels, stem, globals, stem_act: None, blocks, tip })
}

fn policy(layers: &mut Layers<'_>) -> Result<PooledPolicy, ReadError> {
    layers.source.name("policy head")?;
    let outputs = match layers.version {
        ..12 => vec![PolicyOutput::Move],
        12.. => vec![PolicyOutput::Move, PolicyOutput::Optimistic],
    };
    Ok(PooledPolicy {
        conv: layers.conv()?,
        pooled: layers.conv()?,
        pooled_act: layers.norm_act()?,
        to_bias: layers.matmul()?,
        act: layers.norm_act()?,
        out: layers.conv()?,
        pass: if layers.version >= 15 {
            PassHead::Hidden {
                hidden: layers.matmul()?,
                bias: layers.bias()?,
                activation: layers.activation()?,
                out: layers.matmul()?,
            }
        } else {
            PassHead::Direct(layers.matmul()?)
        },
        outputs,
    })
}

fn value(layers: &mut Layers<'_>) -> Result<PooledValue, ReadError> {
    use ScoreOutput::{Lead, Mean, ShortTermScoreError, ShortTermValueError, Stdev, VarianceTime};
    layers.source.name("value head")?;
    let mut outputs = vec![Mean, Stdev, Lead, VarianceTime];
    if layers.version >= 9 {
        outputs.extend([ShortTermValueError, ShortTermScoreError]);
    }
    Ok(PooledValue {
        conv: layers.conv()?,
        act: layers.norm_act()?,
        hidden: layers.matmul()?,
        hidden_bias: layers.bias()?,
        hidden_activation: layers.activation()?,
        outcome: layers.matmul()?,
        outcome_bias: layers.bias()?,
        score: Some(ScoreHead { out: layers.matmul()?, bias: layers.bias()?, outputs }),
        ownership: Some(layers.conv()?),
    })
}
