-- The command, and the server for Python files. There is nothing to call: options are in `vim.g.jitlens`.
if vim.g.loaded_jitlens or vim.fn.has('nvim-0.10') == 0 then
  return
end
vim.g.loaded_jitlens = true

vim.api.nvim_create_user_command('Jitlens', function(command)
  require('jitlens.commands').run(command)
end, {
  nargs = '*',
  desc = 'Views and actions of jitlens',
  complete = function(...)
    return require('jitlens.commands').complete(...)
  end,
})

-- Names of traced values; Neovim asks for them by itself.
vim.api.nvim_set_hl(0, '@lsp.mod.traced.python', { link = 'Special', default = true })

require('jitlens').enable()
