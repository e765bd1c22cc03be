//! `jitlens completions SHELL` and `jitlens man`: what shells and `man` are told, from the command line's own definition.

use std::process::ExitCode;

use clap::{Args, Command};

use super::{exit, output};

/// Arguments of `jitlens completions`.
#[derive(Args)]
pub struct Shell {
    /// The shell.
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

/// Prints a shell's completions.
pub fn completions(Shell { shell }: &Shell, mut command: Command) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(*shell, &mut command, "jitlens", &mut text);
    print(&text)
}

/// Prints the manual page: the command, then each of its subcommands.
pub fn page(mut command: Command) -> ExitCode {
    command.build();
    let mut text =
        section(&command, |man, text| man.render(text)).replace("jitlens\\-", "jitlens ").replace("(1)\n", "\n");
    for each in command.get_subcommands().filter(|each| !each.is_hide_set() && each.get_name() != "help") {
        text += &format!(".SH \"JITLENS {}\"\n", each.get_name().to_uppercase());
        text += &section(&each.clone().disable_help_flag(true), |man, text| {
            man.render_synopsis_section(text)?;
            man.render_description_section(text)?;
            man.render_options_section(text)
        });
    }
    print(text.as_bytes())
}

/// Part of the page; what is a section of a subcommand's own page is one of the part.
fn section(command: &Command, render: impl Fn(&clap_mangen::Man, &mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut text = Vec::new();
    // Nothing that is written to memory fails.
    let _ = render(&clap_mangen::Man::new(command.clone()), &mut text);
    let text = String::from_utf8_lossy(&text);
    if text.contains(".TH ") { text.into_owned() } else { text.replace(".SH ", ".SS ") }
}

fn print(text: &[u8]) -> ExitCode {
    output::line(String::from_utf8_lossy(text).trim_end());
    ExitCode::from(exit::CLEAN)
}
