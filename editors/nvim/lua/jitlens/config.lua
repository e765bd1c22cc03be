-- Options: `vim.g.jitlens`, or what `require('jitlens').setup` was given.
local M = {}

---@class jitlens.Options
---@field enable? boolean Start the server with Python files. Default: true.
---@field cmd? string[] The server and its arguments. Default: { "jitlens", "server" }.
---@field settings? table What the server reads, in camel case: see |jitlens-settings|. Default: {}.
---@field log_level? "warn"|"info"|"debug"|"trace" How much the server tells of itself in Neovim's log. Default: "warn".
---@field inlay_hints? boolean Show shapes behind names. Default: true.
---@field code_lens? boolean Show above each function how often it was traced. Default: true.
---@field border? string|string[] Border of floating windows. Default: 'winborder' where there is one, else "rounded".

---@type jitlens.Options
M.defaults = {
  enable = true,
  cmd = { 'jitlens', 'server' },
  settings = {},
  log_level = 'warn',
  inlay_hints = true,
  code_lens = true,
  border = nil,
}

local TYPES = {
  enable = 'boolean',
  cmd = 'table',
  settings = 'table',
  log_level = 'string',
  inlay_hints = 'boolean',
  code_lens = 'boolean',
}

---Options as they are, over the defaults.
---@return jitlens.Options
function M.get()
  local given = vim.g.jitlens
  return vim.tbl_deep_extend('force', M.defaults, type(given) == 'table' and given or {})
end

---What is wrong with the options.
---@return string[]
function M.problems()
  local given = vim.g.jitlens
  if given == nil then
    return {}
  end
  if type(given) ~= 'table' then
    return { 'vim.g.jitlens is a ' .. type(given) .. ', not a table' }
  end
  local problems = {}
  for name, value in pairs(given) do
    if TYPES[name] == nil and name ~= 'border' then
      table.insert(problems, ('there is no option `%s`'):format(name))
    elseif TYPES[name] ~= nil and type(value) ~= TYPES[name] then
      table.insert(problems, ('the option `%s` is a %s, not a %s'):format(name, type(value), TYPES[name]))
    end
  end
  table.sort(problems)
  return problems
end

---The configuration of the language client.
---@return vim.lsp.ClientConfig
function M.lsp()
  local options = M.get()
  local environment = nil
  if options.log_level ~= 'warn' then
    environment = { JITLENS_LOG = 'jitlens=' .. options.log_level }
  end
  local settings = next(options.settings) == nil and vim.empty_dict() or options.settings
  return {
    name = 'jitlens',
    cmd = options.cmd,
    cmd_env = environment,
    filetypes = { 'python' },
    root_markers = { 'pyproject.toml', '.git' },
    init_options = settings,
    settings = { jitlens = settings },
  }
end

return M
