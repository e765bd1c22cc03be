-- `:checkhealth jitlens`
local M = {}

function M.check()
  local health = vim.health
  health.start('jitlens: Neovim')
  if vim.fn.has('nvim-0.10') == 0 then
    return health.error('Neovim 0.10 or newer is wanted', 'https://neovim.io')
  end
  health.ok(('Neovim %s, %s'):format(tostring(vim.version()), vim.lsp.config and 'started by `vim.lsp.enable`' or 'started by `vim.lsp.start`'))

  health.start('jitlens: options')
  local config = require('jitlens.config')
  local problems = config.problems()
  for _, problem in ipairs(problems) do
    health.error(problem, 'see `:help jitlens-options`')
  end
  if #problems == 0 then
    health.ok('`vim.g.jitlens` has nothing that is wrong')
  end

  health.start('jitlens: server')
  local command = (vim.lsp.config and vim.lsp.config.jitlens or config.lsp()).cmd[1]
  if vim.fn.executable(command) == 0 then
    return health.error(('`%s` is no program'):format(command), {
      '`cargo install --path server` in the repository puts it on the path',
      'the option `cmd` names another one: `vim.g.jitlens = { cmd = { "/path/to/jitlens", "server" } }`',
    })
  end
  local done = vim.system({ command, '--version' }, { text = true }):wait(5000)
  if done.code ~= 0 then
    return health.error(('`%s --version` fails: %s'):format(command, vim.trim(done.stderr or '')))
  end
  health.ok(('%s: %s'):format(vim.fn.exepath(command), vim.trim(done.stdout)))
  local clients = vim.lsp.get_clients({ name = 'jitlens' })
  if #clients == 0 then
    health.info('no server runs: it is started with the first Python file')
  end
  for _, client in ipairs(clients) do
    health.ok(('runs for %d buffer(s), root %s, positions in %s'):format(
      vim.tbl_count(client.attached_buffers), client.root_dir or client.config.root_dir or 'none', client.offset_encoding))
  end
end

return M
