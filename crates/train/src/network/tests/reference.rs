//! A network by the definitions, in double precision: one function per sentence of `tesuji_net::model`.

use crate::layer::norm::EPSILON;
use crate::loss::LossWeights;
use crate::network::{Network, Normalization};
use crate::target::{Batch, Weighted};
use std::collections::HashMap;
use tesuji_net::model::{
    Activation, Block, Model, Norm, PassHead, PolicyHead, PolicyOutput, ScoreOutput, ValueHead,
};

/// `[position][point][channel]`, or with one point where there are only numbers.
type Values = Vec<Vec<Vec<f64>>>;

pub(super) struct Reference<'a> {
    model: &'a Model,
    normalization: Normalization,
    places: HashMap<String, std::ops::Range<usize>>,
    weights: LossWeights,
    batch: &'a Batch,
    parameters: Vec<f64>,
    /// The means of the score as they were before anything was moved: the deviation learns beside them, not through them.
    means: Option<Vec<f64>>,
}

impl<'a> Reference<'a> {
    pub(super) fn new(
        network: &'a Network,
        weights: LossWeights,
        batch: &'a Batch,
        parameters: &[f32],
    ) -> Reference<'a> {
        let entries = network.layout().entries().iter();
        Reference {
            model: network.description(),
            normalization: network.normalization(),
            places: entries.map(|entry| (entry.name.clone(), entry.range.clone())).collect(),
            weights,
            batch,
            parameters: parameters.iter().map(|&value| f64::from(value)).collect(),
            means: None,
        }
    }

    /// The derivative of the loss with respect to a parameter, by central differences.
    pub(super) fn slope(&mut self, parameter: usize) -> f64 {
        let (step, before) = (1e-6, self.parameters[parameter]);
        self.parameters[parameter] = before + step;
        let above = self.loss();
        self.parameters[parameter] = before - step;
        let below = self.loss();
        self.parameters[parameter] = before;
        (above - below) / (2.0 * step)
    }

    fn list(&self, name: String) -> &[f64] {
        &self.parameters[self.places[&name].clone()]
    }

    fn width(&self) -> usize {
        self.batch.size.width()
    }

    fn conv(&self, path: &str, side: usize, x: &Values) -> Values {
        let w = self.list(format!("{path}.weights"));
        let (width, height) = (self.width() as isize, self.batch.size.height() as isize);
        let inputs = x[0][0].len();
        let outputs = w.len() / (side * side * inputs);
        let one = |board: &Vec<Vec<f64>>, point: usize, o: usize| {
            let (row, column) = (point as isize / width, point as isize % width);
            let mut sum = 0.0;
            for ky in 0..side {
                for kx in 0..side {
                    let y = row + ky as isize - side as isize / 2;
                    let x = column + kx as isize - side as isize / 2;
                    if (0..height).contains(&y) && (0..width).contains(&x) {
                        for i in 0..inputs {
                            sum += board[(y * width + x) as usize][i]
                                * w[((ky * side + kx) * inputs + i) * outputs + o];
                        }
                    }
                }
            }
            sum
        };
        x.iter()
            .map(|board| (0..board.len()).map(|p| (0..outputs).map(|o| one(board, p, o)).collect()).collect())
            .collect()
    }

    fn dense(&self, path: &str, x: &Values) -> Values {
        let w = self.list(format!("{path}.weights"));
        let product = |numbers: &[f64]| {
            let outputs = w.len() / numbers.len();
            (0..outputs)
                .map(|o| numbers.iter().enumerate().map(|(i, x)| x * w[i * outputs + o]).sum())
                .collect()
        };
        x.iter().map(|board| vec![product(&board.concat())]).collect()
    }

    fn bias(&self, path: &str, mut x: Values) -> Values {
        let bias = self.list(format!("{path}.values"));
        for board in &mut x {
            board.iter_mut().flatten().zip(bias).for_each(|(value, bias)| *value += bias);
        }
        x
    }

    fn act(activation: Activation, x: f64) -> f64 {
        match activation {
            Activation::Identity => x,
            Activation::Relu => x.max(0.0),
            Activation::Mish => x * x.exp().ln_1p().tanh(),
            Activation::Silu => x / (1.0 + (-x).exp()),
        }
    }

    fn norm_act(&self, path: &str, activation: Activation, mut x: Values) -> Values {
        let (scale, bias) = (self.list(format!("{path}.scale")), self.list(format!("{path}.bias")));
        for channel in 0..scale.len() {
            let (mut mean, mut deviation) = (0.0, 1.0);
            if self.normalization == Normalization::Batch {
                let all: Vec<f64> = x.iter().flatten().map(|point| point[channel]).collect();
                mean = all.iter().sum::<f64>() / all.len() as f64;
                let variance = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / all.len() as f64;
                deviation = (variance + f64::from(EPSILON)).sqrt();
            }
            for point in x.iter_mut().flatten() {
                let normed = (point[channel] - mean) / deviation * scale[channel] + bias[channel];
                point[channel] = Reference::act(activation, normed);
            }
        }
        x
    }

    fn pool(x: &Values, with_maximum: bool) -> Values {
        let one = |board: &Vec<Vec<f64>>| {
            let area = board.len() as f64;
            let side = area.sqrt() - 14.0;
            let channels = board[0].len();
            let column = |c: usize| board.iter().map(move |point| point[c]);
            let means: Vec<f64> = (0..channels).map(|c| column(c).sum::<f64>() / area).collect();
            let mut pooled = means.clone();
            pooled.extend(means.iter().map(|mean| mean * side / 10.0));
            if with_maximum {
                pooled.extend((0..channels).map(|c| column(c).fold(f64::NEG_INFINITY, f64::max)));
            } else {
                pooled.extend(means.iter().map(|mean| mean * (side * side / 100.0 - 0.1)));
            }
            vec![pooled]
        };
        x.iter().map(one).collect()
    }

    fn add(mut x: Values, y: &Values) -> Values {
        for (x, y) in x.iter_mut().zip(y) {
            for (index, point) in x.iter_mut().enumerate() {
                let other = if y.len() == 1 { &y[0] } else { &y[index] };
                point.iter_mut().zip(other).for_each(|(x, y)| *x += y);
            }
        }
        x
    }

    fn block(&self, path: &str, block: &Block, x: Values) -> Values {
        match block {
            Block::Plain(b) => {
                let y = self.conv(&format!("{path}.conv"), b.conv.width, &x);
                self.norm_act(&format!("{path}.post.norm"), b.post.activation, y)
            }
            Block::Residual(b) => {
                let h = self.norm_act(&format!("{path}.pre.norm"), b.pre.activation, x.clone());
                let h = self.conv(&format!("{path}.first"), b.first.width, &h);
                let h = self.norm_act(&format!("{path}.mid.norm"), b.mid.activation, h);
                Reference::add(x, &self.conv(&format!("{path}.last"), b.last.width, &h))
            }
            Block::Pooling(b) => {
                let h = self.norm_act(&format!("{path}.pre.norm"), b.pre.activation, x.clone());
                let g = self.conv(&format!("{path}.pooled"), b.pooled.width, &h);
                let g = self.norm_act(&format!("{path}.pooled_act.norm"), b.pooled_act.activation, g);
                let g = self.dense(&format!("{path}.to_bias"), &Reference::pool(&g, true));
                let h = Reference::add(self.conv(&format!("{path}.regular"), b.regular.width, &h), &g);
                let h = self.norm_act(&format!("{path}.mid.norm"), b.mid.activation, h);
                Reference::add(x, &self.conv(&format!("{path}.last"), b.last.width, &h))
            }
            Block::Bottleneck(b) => {
                let h = self.norm_act(&format!("{path}.pre.norm"), b.pre.activation, x.clone());
                let mut h = self.conv(&format!("{path}.down"), b.down.width, &h);
                for (number, inner) in b.blocks.iter().enumerate() {
                    h = self.block(&format!("{path}.blocks.{number}"), inner, h);
                }
                let h = self.norm_act(&format!("{path}.post.norm"), b.post.activation, h);
                Reference::add(x, &self.conv(&format!("{path}.up"), b.up.width, &h))
            }
            Block::Attention(_) | Block::FeedForward(_) => panic!("not trained"),
        }
    }

    /// The mean loss of the batch.
    pub(super) fn loss(&mut self) -> f64 {
        let batch = self.batch;
        let area = batch.size.area();
        let split = |list: &[f32], points: usize| -> Values {
            let each = list.len() / batch.count;
            let wide = |part: &[f32]| part.iter().map(|&value| f64::from(value)).collect::<Vec<_>>();
            let board = |board: &[f32]| board.chunks(each / points).map(wide).collect();
            list.chunks(each).map(board).collect()
        };
        let trunk = &self.model.trunk;
        let mut x = self.conv("trunk.stem", trunk.stem.width, &split(&batch.planes, area));
        if trunk.globals.is_some() {
            x = Reference::add(x, &self.dense("trunk.globals", &split(&batch.globals, 1)));
        }
        if let Some(act) = &trunk.stem_act {
            x = self.norm_act("trunk.stem_act.norm", act.activation, x);
        }
        for (number, block) in trunk.blocks.iter().enumerate() {
            x = self.block(&format!("trunk.blocks.{number}"), block, x);
        }
        if let Some(tip) = &trunk.tip {
            assert!(matches!(tip.norm, Norm::Affine(_)));
            x = self.norm_act("trunk.tip.norm", tip.activation, x);
        }
        (self.policy_loss(&x) + self.value_loss(&x)) / batch.count as f64
    }

    fn policy_loss(&self, x: &Values) -> f64 {
        let Some(head) = &self.model.policy else { return 0.0 };
        let (points, pass) = match head {
            PolicyHead::Point(head) => {
                (self.bias("policy.bias", self.conv("policy.conv", head.conv.width, x)), None)
            }
            PolicyHead::Pooled(head) => {
                let g = self.conv("policy.pooled", head.pooled.width, x);
                let g = self.norm_act("policy.pooled_act.norm", head.pooled_act.activation, g);
                let g = Reference::pool(&g, true);
                let h = self.conv("policy.conv", head.conv.width, x);
                let h = Reference::add(h, &self.dense("policy.to_bias", &g));
                let h = self.norm_act("policy.act.norm", head.act.activation, h);
                let pass = match &head.pass {
                    PassHead::Direct(_) => self.dense("policy.pass", &g),
                    PassHead::Hidden { activation, .. } => {
                        let h = self.bias("policy.pass.bias", self.dense("policy.pass.hidden", &g));
                        self.dense("policy.pass.out", &act_all(*activation, h))
                    }
                };
                (self.conv("policy.out", head.out.width, &h), Some(pass))
            }
        };
        let mut loss = 0.0;
        for (output, kind) in head.outputs().iter().enumerate() {
            let (target, own) = match kind {
                PolicyOutput::Move => (&self.batch.targets.policy, self.weights.policy),
                PolicyOutput::Reply => (&self.batch.targets.reply, self.weights.reply),
                PolicyOutput::Optimistic => continue,
            };
            for position in 0..self.batch.count {
                let (target, weight) = known(target, position);
                let mut logits: Vec<f64> = points[position].iter().map(|point| point[output]).collect();
                match &pass {
                    Some(pass) => logits.push(pass[position][0][output]),
                    None if target.last().is_some_and(|&pass| pass > 0.0) => continue,
                    None => (),
                }
                loss += f64::from(own) * weight * cross_entropy(&logits, &target);
            }
        }
        loss
    }

    fn value_loss(&mut self, x: &Values) -> f64 {
        let (weights, targets) = (self.weights, &self.batch.targets);
        let mut loss = 0.0;
        match &self.model.value {
            None => (),
            Some(ValueHead::Dense(head)) => {
                let h = self.conv("value.conv", head.conv.width, x);
                let h = self.norm_act("value.act.norm", head.act.activation, h);
                let h = self.bias("value.hidden_bias", self.dense("value.hidden", &h));
                let h = act_all(head.hidden_activation, h);
                let out = self.bias("value.out_bias", self.dense("value.out", &h));
                for (position, out) in out.iter().enumerate() {
                    let (target, weight) = known(&targets.outcome, position);
                    let error = out[0][0].tanh() - (target[0] - target[1]);
                    loss += f64::from(weights.outcome) * weight * error * error;
                }
            }
            Some(ValueHead::Pooled(head)) => {
                let v = self.conv("value.conv", head.conv.width, x);
                let v = self.norm_act("value.act.norm", head.act.activation, v);
                let h = self.dense("value.hidden", &Reference::pool(&v, false));
                let h = act_all(head.hidden_activation, self.bias("value.hidden_bias", h));
                let outcome = self.bias("value.outcome_bias", self.dense("value.outcome", &h));
                for (position, logits) in outcome.iter().enumerate() {
                    let (target, weight) = known(&targets.outcome, position);
                    let target = match logits[0].len() {
                        2 => vec![target[0] + target[2] / 2.0, target[1] + target[2] / 2.0],
                        _ => target,
                    };
                    loss += f64::from(weights.outcome) * weight * cross_entropy(&logits[0], &target);
                }
                if let Some(score) = &head.score {
                    let out = self.bias("value.score.bias", self.dense("value.score.out", &h));
                    let means: Vec<f64> = out.iter().map(|out| out[0][0]).collect();
                    assert_eq!(score.outputs[0], ScoreOutput::Mean);
                    let frozen = self.means.get_or_insert(means);
                    for (position, out) in out.iter().enumerate() {
                        let of = |target| known(target, position);
                        let (mean, has_mean) = of(&targets.score);
                        for (output, kind) in score.outputs.iter().enumerate() {
                            let value = out[0][output];
                            let deviation = (1.0 + value.exp()).ln();
                            loss += match kind {
                                ScoreOutput::Mean => {
                                    f64::from(weights.score) * has_mean * huber(value - mean[0] / 20.0)
                                }
                                ScoreOutput::Lead => {
                                    let (lead, weight) = of(&targets.lead);
                                    f64::from(weights.lead) * weight * huber(value - lead[0] / 20.0)
                                }
                                ScoreOutput::Stdev => {
                                    let (given, weight) = of(&targets.deviation);
                                    let error = frozen[position] - mean[0] / 20.0;
                                    f64::from(weights.deviation)
                                        * if weight > 0.0 {
                                            weight * huber(deviation - given[0] / 20.0)
                                        } else {
                                            has_mean * (deviation.ln() + 0.5 * (error / deviation).powi(2))
                                        }
                                }
                                _ => 0.0,
                            };
                        }
                    }
                }
                if let Some(conv) = &head.ownership {
                    let out = self.conv("value.ownership", conv.width, &v);
                    for (position, board) in out.iter().enumerate() {
                        let (target, weight) = known(&targets.ownership, position);
                        let mut sum = 0.0;
                        for (point, target) in board.iter().zip(target) {
                            let (mine, known) = (0.5 * (1.0 + point[0].tanh()), 0.5 * (1.0 + target));
                            sum -= known * mine.ln() + (1.0 - known) * (1.0 - mine).ln();
                        }
                        loss += f64::from(weights.ownership) * weight * sum / board.len() as f64;
                    }
                }
            }
        }
        loss
    }
}

fn known(list: &Weighted, position: usize) -> (Vec<f64>, f64) {
    let (values, weight) = list.of(position);
    (values.iter().map(|&value| f64::from(value)).collect(), f64::from(weight))
}

fn act_all(activation: Activation, mut x: Values) -> Values {
    x.iter_mut().flatten().flatten().for_each(|value| *value = Reference::act(activation, *value));
    x
}

fn cross_entropy(logits: &[f64], target: &[f64]) -> f64 {
    let sum: f64 = logits.iter().map(|logit| logit.exp()).sum();
    target.iter().zip(logits).map(|(target, logit)| -target * (logit.exp() / sum).ln()).sum()
}

fn huber(error: f64) -> f64 {
    if error.abs() <= 0.5 { 0.5 * error * error } else { 0.5 * (error.abs() - 0.25) }
}
