//! `tesuji reference`: presets, parameters and GTP commands as a page of Markdown; `docs/reference.md` is its output.

use std::fmt::Write;

use tesuji_engine::gtp;
use tesuji_engine::preset::{DEFAULT_PRESET, PRESETS};
use tesuji_engine::settings::{PARAMETERS, Settings};

use crate::say::say;

pub(crate) fn run() {
    say!("{}", page().trim_end());
}

fn page() -> String {
    let mut page = String::from(
        "# Reference\n\n\
         This page is the output of `tesuji reference`. A test fails if it is out of date.\n\n\
         ## Presets\n\n\
         Choose one with `--preset`. A preset sets parameters; `--set` changes them one by one.\n\n\
         | preset | search | parameters |\n|---|---|---|\n",
    );
    for preset in PRESETS {
        let settings: Vec<String> =
            preset.settings.iter().map(|(name, value)| format!("`{name}={value}`")).collect();
        let mark = if preset.name == DEFAULT_PRESET { " (default)" } else { "" };
        line(&mut page, &[&format!("`{}`{mark}", preset.name), preset.description, &settings.join(" ")]);
    }
    page += "\n## Parameters\n\n\
             Set one with `--set name=value`, in a configuration file (`--config`), or under GTP with `kata-set-param`. \
             A parameter that the chosen search does not use is refused on the command line. The defaults are those of the default preset.\n\n\
             | parameter | meaning | values | default |\n|---|---|---|---|\n";
    let defaults = Settings::default();
    for parameter in PARAMETERS.iter() {
        let name = format!("`{}`", parameter.name);
        line(&mut page, &[&name, parameter.description, &parameter.values(), &parameter.value(&defaults)]);
    }
    page +=
        "\nSome parameters have a second name, that of KataGo:\n\n| parameter | KataGo's name |\n|---|---|\n";
    for parameter in PARAMETERS.iter().filter(|parameter| !parameter.katago_name.is_empty()) {
        line(&mut page, &[&format!("`{}`", parameter.name), &format!("`{}`", parameter.katago_name)]);
    }
    let commands: Vec<String> = gtp::table().names().into_iter().map(|name| format!("`{name}`")).collect();
    let _ = write!(page, "\n## GTP commands\n\n{}\n", commands.join(" "));
    page
}

/// A row of a table.
fn line(page: &mut String, cells: &[&str]) {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    let _ = writeln!(page, "| {} |", cells.join(" | "));
}
