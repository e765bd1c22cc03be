//! `jitlens bench FILE…`: how long analyses take in a warm process. For `tests/bench`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use serde_json::json;

use super::{exit, output, program};

/// Arguments of `jitlens bench`.
#[derive(Args)]
pub struct Arguments {
    /// Files to run as scripts, by turns.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How often each is run.
    #[arg(long, default_value_t = 10)]
    runs: u32,
}

/// Runs the command: prints, for each file, the milliseconds of each run and the number of problems, as JSON.
pub fn run(arguments: &Arguments) -> ExitCode {
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); arguments.files.len()];
    let mut problems = vec![0; arguments.files.len()];
    let mut program = program::Runs::default();
    for _ in 0..arguments.runs {
        for (i, file) in arguments.files.iter().enumerate() {
            let start = Instant::now();
            match program.analyze(file) {
                Ok(analysis) => {
                    times[i].push(start.elapsed().as_secs_f64() * 1e3);
                    problems[i] = analysis.problems.len();
                }
                Err(message) => {
                    output::complain(&message);
                    return ExitCode::from(exit::FAILED);
                }
            }
        }
    }
    let rows: Vec<_> = arguments
        .files
        .iter()
        .zip(times.iter().zip(problems))
        .map(|(file, (ms, problems))| json!({"file": program::shown(file), "ms": ms, "problems": problems}))
        .collect();
    output::line(json!({"version": 1, "files": rows}));
    ExitCode::from(exit::CLEAN)
}
