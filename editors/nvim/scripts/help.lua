-- Writes doc/jitlens.txt: `nvim --clean -l scripts/help.lua`; with `--check` it only compares.
-- Options come from the annotations of lua/jitlens/config.lua, subcommands from lua/jitlens/commands.lua.
local here = vim.fs.dirname(vim.fs.normalize(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p')))
local plugin = vim.fs.dirname(here)
vim.opt.runtimepath:prepend(plugin)
local WIDTH = 78

local function right(left, tag)
  return left .. string.rep(' ', math.max(1, WIDTH - #left - #tag - 2)) .. '*' .. tag .. '*'
end
local function wrapped(text, indent)
  local lines, line = {}, ''
  for word in text:gmatch('%S+') do
    if #line + #word + 1 > WIDTH - #indent then
      table.insert(lines, indent .. line)
      line = word
    else
      line = line == '' and word or line .. ' ' .. word
    end
  end
  table.insert(lines, indent .. line)
  return table.concat(lines, '\n')
end

local options = {}
for line in io.lines(plugin .. '/lua/jitlens/config.lua') do
  local name, kind, text = line:match('^%-%-%-@field (%w[%w_]*)%? (%S+) (.+)$')
  if name then
    table.insert(options, right(name .. '  ~', 'jitlens-option-' .. name) .. '\n' .. wrapped('`' .. kind .. '`', '    ') .. '\n' .. wrapped(text, '    '))
  end
end
local commands = require('jitlens.commands')
local subcommands = vim.tbl_map(function(name)
  return right(':Jitlens ' .. name, ':Jitlens-' .. name) .. '\n' .. wrapped(commands.subcommands[name].about, '    ')
end, commands.names())

local rule = string.rep('=', WIDTH)
local text = table.concat({
  '*jitlens.txt*  Shapes, traces and errors of JAX programs while you type',
  '',
  rule,
  right('jitlens', 'jitlens'),
  '',
  wrapped('jitlens traces programs that use JAX, without running them. Behind names stand shapes, above functions how often they were traced; what tracing would raise is a diagnostic at your line. It runs beside other language servers: what it says is only about arrays and tracing.', ''),
  '',
  wrapped('It needs Neovim 0.10 or newer, and the program `jitlens` on the path or in the option `cmd`. With the folder of this plugin on the runtime path it starts with Python files; there is nothing to call. |:checkhealth| jitlens says whether all is well.', ''),
  '',
  wrapped("Hover (|K|), code actions (`gra`), diagnostics (`]d`) and definitions are Neovim's own: see |lsp-defaults|.", ''),
  '',
  rule,
  right('OPTIONS', 'jitlens-options'),
  '',
  'Options are set before the first Python file is opened: >lua',
  '',
  "    vim.g.jitlens = { inlay_hints = false, settings = { rules = { retrace = 'off' } } }",
  '<',
  wrapped("`require('jitlens').setup({…})` does the same, for who prefers it. In Neovim 0.11 and newer `vim.lsp.config('jitlens', {…})` stands over all of them.", ''),
  '',
  table.concat(options, '\n\n'),
  '',
  right('SETTINGS', 'jitlens-settings'),
  '',
  wrapped('The server reads `[tool.jitlens]` of the nearest pyproject.toml; the option `settings` stands over it, in camel case: `inlayHints`, `environment` (folder of the Python environment), `sourceRoots`, `rules`, `perFileIgnores`, `reproducers`, `literals`, `data`, `reproduceErrors`. The README of the project describes them.', ''),
  '',
  rule,
  right('COMMANDS', ':Jitlens'),
  '',
  table.concat(subcommands, '\n\n'),
  '',
  wrapped('In floating windows `q` and <Esc> close the window, and `o` makes a window of its own of it.', ''),
  '',
  ' vim:tw=78:ts=8:noet:ft=help:norl:',
  '',
}, '\n')

local path = plugin .. '/doc/jitlens.txt'
if vim.tbl_contains(arg, '--check') then
  local file = io.open(path)
  if not file or file:read('a') ~= text then
    io.write('doc/jitlens.txt is not what the annotations say: run `nvim --clean -l scripts/help.lua`\n')
    os.exit(1)
  end
  return
end
local file = assert(io.open(path, 'w'))
file:write(text)
file:close()
