//! The `jitlens` command.

mod callers;
mod commands;
mod config;
mod evaluated;
mod fixes;
mod graphs;
mod lsp;
mod memory;
mod reproduce;
mod rules;
mod trace_cache;
mod trace_tree;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// See what JAX programs become when they are traced, without running them.
#[derive(Parser)]
#[command(name = "jitlens", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run files many times in one process and print how long each run took.
    #[command(hide = true)]
    Bench(commands::bench::Arguments),
    /// Report what tracing finds wrong.
    Check(commands::check::Arguments),
    /// Remove the outcomes of runs that are kept on disk.
    Clean,
    /// Print what completes the command's arguments in a shell.
    Completions(commands::manual::Shell),
    /// Evaluate traced functions: what they give, and where the first NaN comes from.
    Eval(commands::eval::Arguments),
    /// Print the manual page.
    Man,
    /// Start a program, and note the types of what its functions are traced with.
    Record(commands::record::Arguments),
    /// Write a small program that fails as a large one does, or calls one of its functions.
    Repro(commands::repro::Arguments),
    /// Print what a rule is about, or what rules there are.
    Rule(commands::rule::Arguments),
    /// Serve an editor over stdin and stdout.
    Server,
    /// Print the graphs of traced functions.
    Trace(commands::trace::Arguments),
    /// Print what every array-valued expression is.
    Values(commands::values::Arguments),
}

/// Runs make and drop many small objects.
#[cfg(not(target_os = "linux"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Where the crate replaces `malloc` itself, the standard allocator is the shorter way to it: the crate's own asks about the
/// alignment at every call. This keeps the linker from leaving it out.
#[cfg(target_os = "linux")]
#[used]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.command {
        Command::Bench(arguments) => commands::bench::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Clean => commands::clean::run(),
        Command::Completions(shell) => commands::manual::completions(&shell, Cli::command()),
        Command::Eval(arguments) => commands::eval::run(&arguments),
        Command::Man => commands::manual::page(Cli::command()),
        Command::Record(arguments) => commands::record::run(&arguments),
        Command::Repro(arguments) => commands::repro::run(&arguments),
        Command::Rule(arguments) => commands::rule::run(&arguments),
        Command::Server => match lsp::serve() {
            Ok(true) => ExitCode::SUCCESS,
            // As the protocol wants it of a client that goes without a word.
            Ok(false) => ExitCode::FAILURE,
            Err(error) => {
                eprintln!("jitlens: {error}");
                ExitCode::from(commands::exit::FAILED)
            }
        },
        Command::Trace(arguments) => commands::trace::run(&arguments),
        Command::Values(arguments) => commands::values::run(&arguments),
    }
}
