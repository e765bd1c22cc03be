-- Neovim 0.11 and newer: what `vim.lsp.enable('jitlens')` starts. `vim.lsp.config('jitlens', {…})` stands over it.
return require('jitlens.config').lsp()
