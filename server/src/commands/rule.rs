//! `jitlens rule [NAME]`: the page of a rule, or what rules there are.

use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use super::{Format, exit, output};
use crate::rules::{self, Rule};

/// Arguments of `jitlens rule`.
#[derive(Args)]
pub struct Arguments {
    /// The rule; without one, all are listed.
    name: Option<String>,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    let rules: Vec<&Rule> = match arguments.name.as_deref().map(|name| (name, rules::get(name))) {
        Some((_, Some(rule))) => vec![rule],
        Some((name, None)) => {
            output::complain(&rules::unknown(name));
            return ExitCode::from(exit::FAILED);
        }
        None => rules::ALL.iter().collect(),
    };
    match (arguments.format, arguments.name.is_some()) {
        (Format::Json, _) => {
            let rules: Vec<Value> = rules.into_iter().map(row).collect();
            output::line(json!({"version": 1, "rules": rules}));
        }
        (Format::Text, true) => output::page(&rules[0].page),
        (Format::Text, false) => {
            let wide = rules.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
            for rule in rules {
                output::line(format!("{:wide$}  {:11}  {}", rule.name, rule.severity.name(), rule.summary));
            }
        }
    }
    ExitCode::from(exit::CLEAN)
}

fn row(rule: &Rule) -> Value {
    json!({
        "name": rule.name,
        "severity": rule.severity.name(),
        "summary": rule.summary,
        "page": rule.page,
        "url": rule.href(),
    })
}
