//! jitlens in Zed: how the server is started, and what it is told.

use zed_extension_api::serde_json::{Value, json};
use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, Command, Extension, LanguageServerId, Result, Worktree};

struct Jitlens;

impl Extension for Jitlens {
    fn new() -> Self {
        Jitlens
    }

    /// The program that `lsp.jitlens.binary` of the settings names, or the one on the path.
    fn language_server_command(&mut self, server: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(server.as_ref(), worktree).ok().and_then(|settings| settings.binary);
        let (path, arguments) = binary.map_or((None, None), |binary| (binary.path, binary.arguments));
        let command = path.or_else(|| worktree.which("jitlens")).ok_or(
            "there is no `jitlens` on the path: `cargo install --path server` in its repository puts it there, and \
             `lsp.jitlens.binary.path` in the settings names another one",
        )?;
        Ok(Command { command, args: arguments.unwrap_or_else(|| vec!["server".into()]), env: worktree.shell_env() })
    }

    /// `lsp.jitlens.settings`, as the server asks for it.
    fn language_server_workspace_configuration(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        let settings = LspSettings::for_worktree(server.as_ref(), worktree).ok().and_then(|all| all.settings);
        Ok(settings.map(|settings| json!({ "jitlens": settings })))
    }
}

zed::register_extension!(Jitlens);
