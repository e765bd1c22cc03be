-- Neovim 0.11 or newer, with this folder on the runtime path: `vim.lsp.enable("jitlens")`.
return {
  cmd = { "jitlens", "server" },
  filetypes = { "python" },
  root_markers = { "pyproject.toml", ".git" },
}
