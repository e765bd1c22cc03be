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

-- Settings come from the schema that VS Code shows, but for those of VS Code alone.
local OWN = { path = true, semanticTokens = true, logLevel = true, ['trace.server'] = true }
local manifest = vim.json.decode(table.concat(vim.fn.readfile(plugin .. '/../vscode/package.json'), '\n'))
local properties = manifest.contributes.configuration.properties
local names = vim.tbl_filter(function(name)
  return not OWN[name:sub(#'jitlens.' + 1)]
end, vim.tbl_keys(properties))
table.sort(names, function(a, b)
  -- Of one order by name: a table has none of its own.
  local x, y = properties[a].order, properties[b].order
  return x < y or x == y and a < b
end)
local settings = vim.tbl_map(function(name)
  local said = properties[name].markdownDescription or properties[name].description
  -- Links, and what is said of the other editor.
  said = said:gsub('%[([^%]]*)%]%b()', '%1'):gsub(' %b()%s*$', ''):gsub('`%${workspaceFolder}`[^.]*%.', ''):gsub('the environment chosen in the Python extension, ', '')
  name = name:sub(#'jitlens.' + 1)
  return right(name .. '  ~', 'jitlens-setting-' .. name) .. '\n' .. wrapped(said, '    ')
end, names)

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
  wrapped("Hover (|K|), code actions (`gra`), diagnostics (`]d`) and definitions are Neovim's own: see |lsp-defaults|. |vim.lsp.codelens.run()| at the lens above a function shows what its cache holds.", ''),
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
  wrapped('The server reads `[tool.jitlens]` of the nearest pyproject.toml; the option `settings` stands over it, with these names.', ''),
  '',
  table.concat(settings, '\n\n'),
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
