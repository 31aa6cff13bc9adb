//! `tesuji net export`: networks in other formats.

use crate::argument;
use crate::say::say;
use anyhow::{Context, bail, ensure};
use clap::Args;
use std::path::PathBuf;
use tesuji_board::Rules;
use tesuji_lab::line_log::write_bytes;
use tesuji_net::own::{self, Precision};
use tesuji_net::{load, onnx};

#[derive(Args)]
pub(crate) struct Options {
    /// A network: KataGo's .bin.gz or .txt.gz, or our .safetensors.
    file: PathBuf,
    /// Where it goes; the name ends in .onnx or .safetensors.
    out: PathBuf,
    /// Round weights to 16 bits, which halves the file; .safetensors only.
    #[arg(long)]
    half: bool,
    /// Say in the file that the network has learned under these rules alone, if it does not say so itself; .safetensors only.
    #[arg(long, value_parser = argument::rules)]
    rules: Option<Rules>,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let extension = self.out.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let is_onnx = match extension {
            "onnx" => true,
            "safetensors" => false,
            _ => bail!("{}: the name must end in .onnx or .safetensors", self.out.display()),
        };
        ensure!(!(is_onnx && self.half), "--half is for .safetensors only");
        ensure!(!(is_onnx && self.rules.is_some()), "--rules is for .safetensors only");
        let mut model = load(&self.file)?;
        if let Some(rules) = self.rules {
            model.provenance.rules = rules.name().context("rules that have no name")?.to_owned();
        }
        let bytes = if is_onnx {
            onnx::write(&model)?
        } else {
            own::write(&model, if self.half { Precision::F16 } else { Precision::F32 })?
        };
        write_bytes(&self.out, &bytes).with_context(|| format!("cannot write {}", self.out.display()))?;
        say!("{}: {}, {} bytes", self.out.display(), model.name, bytes.len());
        Ok(())
    }
}
