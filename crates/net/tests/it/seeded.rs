//! Networks and positions made from seeds, the same ones as in `fixture/make.py`.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use tesuji_net::model::{Model, Role, TensorMut};

/// splitmix64 (Steele, Lea, Flood 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn integer(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in −bound … bound.
    pub(crate) fn uniform(&mut self, bound: f32) -> f32 {
        ((self.integer() >> 40) as i64 - (1 << 23)) as f32 * 2f32.powi(-23) * bound
    }
}

/// Gives a model weights from a seed, such that numbers neither grow nor vanish from layer to layer.
pub(crate) fn fill(model: &mut Model) {
    let mut random = Random::new(7);
    for TensorMut { role, shape, data, .. } in model.tensors_mut() {
        let inputs: usize = shape[..shape.len() - 1].iter().product();
        for weight in data {
            *weight = match role {
                Role::Weight => random.uniform((3.0 / inputs as f32).sqrt()),
                Role::Scale => 1.0 + random.uniform(0.3),
                Role::Bias | Role::Frequency => random.uniform(0.3),
            };
        }
    }
}

/// Planes of ones and zeros, global inputs, and which points are legal.
pub(crate) fn position(seed: u64, area: usize) -> (Vec<f32>, Vec<f32>, Vec<bool>) {
    let mut random = Random::new(seed);
    let mut planes: Vec<f32> =
        (0..22 * area).map(|_| if random.integer().is_multiple_of(8) { 1.0 } else { 0.0 }).collect();
    planes[..area].fill(1.0);
    let globals = (0..19).map(|_| random.uniform(1.0)).collect();
    let legal = (0..area).map(|_| !random.integer().is_multiple_of(4)).collect();
    (planes, globals, legal)
}

/// A file of KataGo's version 8, as large as its b6c96, with weights from a seed.
pub(crate) fn b6c96() -> Vec<u8> {
    let mut file = File { bytes: Vec::new(), random: Random::new(6096) };
    file.words("fixture-b6c96 8 22 19 trunk 6 96 96 96 96 96");
    file.conv(5, 22, 96);
    file.matmul(19, 96);
    for pools in [false, false, true, false, true, false] {
        if pools {
            file.words("gpool_block name");
            file.norm_act(96, true, false);
            file.conv(3, 96, 64);
            file.conv(3, 96, 32);
            file.norm_act(32, true, true);
            file.matmul(96, 64);
            file.norm_act(64, true, true);
            file.conv(3, 64, 96);
        } else {
            file.words("ordinary_block name");
            file.norm_act(96, false, true);
            file.conv(3, 96, 96);
            file.norm_act(96, true, true);
            file.conv(3, 96, 96);
        }
    }
    file.norm_act(96, true, true);
    file.words("policyhead");
    file.conv(1, 96, 32);
    file.conv(1, 96, 32);
    file.norm_act(32, false, true);
    file.matmul(96, 32);
    file.norm_act(32, false, true);
    file.conv(1, 32, 1);
    file.matmul(96, 1);
    file.words("valuehead");
    file.conv(1, 96, 32);
    file.norm_act(32, false, true);
    file.matmul(96, 64);
    file.bias(64);
    file.words("act");
    file.matmul(64, 3);
    file.bias(3);
    file.matmul(64, 4);
    file.bias(4);
    file.conv(1, 32, 1);
    pack(&file.bytes)
}

/// Bytes as a gzip file.
pub(crate) fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

struct File {
    bytes: Vec<u8>,
    random: Random,
}

impl File {
    fn words(&mut self, words: &str) {
        self.bytes.extend(words.bytes().chain(*b"\n"));
    }

    fn floats(&mut self, count: usize, bound: f64, middle: f32) {
        self.bytes.extend(b"@BIN@");
        for _ in 0..count {
            let weight = middle + self.random.uniform(bound as f32);
            self.bytes.extend(weight.to_le_bytes());
        }
        self.bytes.push(b'\n');
    }

    fn conv(&mut self, side: usize, inputs: usize, outputs: usize) {
        self.words(&format!("conv {side} {side} {inputs} {outputs} 1 1"));
        let places = side * side * inputs;
        self.floats(places * outputs, (3.0 / places as f64).sqrt(), 0.0);
    }

    fn matmul(&mut self, inputs: usize, outputs: usize) {
        self.words(&format!("matmul {inputs} {outputs}"));
        self.floats(inputs * outputs, (3.0 / inputs as f64).sqrt(), 0.0);
    }

    fn bias(&mut self, channels: usize) {
        self.words(&format!("bias {channels}"));
        self.floats(channels, 0.3, 0.0);
    }

    fn norm_act(&mut self, channels: usize, has_scale: bool, has_bias: bool) {
        let (scale, bias) = (u8::from(has_scale), u8::from(has_bias));
        self.words(&format!("norm {channels} 1e-20 {scale} {bias}"));
        self.floats(channels, 0.2, 0.0);
        self.floats(channels, 0.5, 1.0);
        if has_scale {
            self.floats(channels, 0.3, 1.0);
        }
        if has_bias {
            self.floats(channels, 0.2, 0.0);
        }
        self.words("act");
    }
}
