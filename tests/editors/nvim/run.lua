-- The plugin in the true Neovim: `JITLENS=PATH nvim --clean -l run.lua`. Exit code 0 if all is well.
local here = vim.fs.dirname(vim.fs.normalize(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p')))
local repository = vim.fs.normalize(here .. '/../../..')
local plugin = repository .. '/editors/nvim'
local server = assert(vim.env.JITLENS, 'JITLENS names the server')
local began = vim.uv.hrtime()

local function equal(wanted, got, what)
  if not vim.deep_equal(wanted, got) then
    error(('%s\n  wanted %s\n  got    %s'):format(what or 'not equal', vim.inspect(wanted), vim.inspect(got)), 2)
  end
end
local function contains(text, part)
  if not text:find(part, 1, true) then
    error(('%q is not in\n%s'):format(part, text), 2)
  end
end
---Waits until something holds, and gives what it gave.
local function until_(what, ask)
  local answer
  if not vim.wait(20000, function()
    answer = ask()
    return answer
  end, 20) then
    error('timed out: ' .. what, 2)
  end
  return answer
end
local function lines(buffer)
  return vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false)
end
local function text(buffer)
  return table.concat(lines(buffer), '\n')
end
---The line with a text, counted from 1.
local function line_of(part, buffer)
  for i, line in ipairs(lines(buffer)) do
    if line:find(part, 1, true) then
      return i
    end
  end
  error(part .. ' is in no line', 2)
end
---Puts the cursor on a text.
local function to(part)
  local row = line_of(part)
  vim.api.nvim_win_set_cursor(0, { row, lines()[row]:find(part, 1, true) - 1 })
end
local function floating()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return window
    end
  end
end
---The buffer of the floating window that comes up, which is then closed.
local function float()
  local window = until_('a floating window', floating)
  local buffer = vim.api.nvim_win_get_buf(window)
  local shown, filetype = text(buffer), vim.bo[buffer].filetype
  vim.api.nvim_win_close(window, true)
  return shown, filetype
end
local said = {}
vim.notify = function(message)
  table.insert(said, message)
end

---A copy of a program of tests/projects, with a text replaced, opened.
local function open(old, new)
  local folder = vim.uv.fs_realpath(vim.fn.fnamemodify(vim.fn.tempname(), ':h')) .. '/' .. vim.uv.hrtime()
  vim.fn.mkdir(folder .. '/.git', 'p')
  for name in vim.fs.dir(repository .. '/tests/projects/mlp_scratch') do
    assert(vim.uv.fs_copyfile(repository .. '/tests/projects/mlp_scratch/' .. name, folder .. '/' .. name))
  end
  local path = folder .. '/main.py'
  local program = table.concat(vim.fn.readfile(path), '\n')
  local from, till = program:find(old, 1, true)
  assert(from, old)
  vim.fn.writefile(vim.split(program:sub(1, from - 1) .. new .. program:sub(till + 1), '\n'), path)
  vim.cmd('silent edit ' .. path)
  local client = until_('the server', function()
    local found = vim.lsp.get_clients({ bufnr = 0, name = 'jitlens' })[1]
    return found and found.initialized and found
  end)
  return vim.api.nvim_get_current_buf(), client, path, folder
end
local function diagnostic(code, buffer)
  return until_('a diagnostic ' .. code, function()
    for _, found in ipairs(vim.diagnostic.get(buffer or 0)) do
      if found.code == code then
        return found
      end
    end
  end)
end

local RETURN = '    return jnp.mean(predicted == labels)'
local PRINT = '    print("accuracy of", predicted)\n'
local tests = {}

function tests.a_what_a_user_sees()
  local buffer, client, path, folder = open(RETURN, PRINT .. RETURN)
  equal('python', vim.bo.filetype)
  equal(folder, client.root_dir or client.config.root_dir, 'the root')

  local found = diagnostic('python-side-effect')
  equal({ line_of('print("accuracy') - 1, 4, 'jitlens', vim.diagnostic.severity.WARN }, { found.lnum, found.col, found.source, found.severity })
  contains(found.message, 'runs once per trace')

  to('logp * targets')
  vim.lsp.buf.hover()
  contains(float(), 'f32[32,3]')

  local hints = until_('hints', function()
    local all = vim.tbl_filter(function(hint)
      local label = hint.inlay_hint.label
      label = type(label) == 'string' and label or vim.iter(label):map(function(part) return part.value end):join('')
      return label:find('i32[480]', 1, true) and hint.inlay_hint.position.line == line_of('predicted =') - 1
    end, vim.lsp.inlay_hint.get({ bufnr = buffer }))
    return all[1]
  end)
  assert(vim.lsp.inlay_hint.is_enabled({ bufnr = buffer }) and hints)
  vim.cmd('Jitlens hints')
  assert(not vim.lsp.inlay_hint.is_enabled({ bufnr = buffer }))
  vim.cmd('Jitlens hints')

  local titles = until_('lenses', function()
    local all = vim.lsp.codelens.get(vim.fn.has('nvim-0.12') == 1 and { bufnr = buffer } or buffer)
    all = vim.tbl_map(function(lens)
      return (lens.lens or lens).command.title
    end, all)
    return vim.tbl_contains(all, '2 traces · 28 equations') and all
  end)
  assert(#titles >= 2)

  -- A lens shows what the cache of its function holds.
  to('def accuracy')
  vim.lsp.codelens.run()
  local cache, cache_type = float()
  equal('jitlenscache', cache_type)
  contains(cache, 'accuracy: 2 traces')

  -- The page of the rule at the cursor.
  to('print("accuracy')
  vim.cmd('Jitlens rule')
  local page, filetype = float()
  equal('markdown', filetype)
  contains(page, '# python-side-effect')

  -- A fix that is chosen from the menu.
  local select = vim.ui.select
  local menu
  vim.ui.select = function(items, options, chosen)
    menu = vim.tbl_map(options.format_item, items)
    for i, item in ipairs(menu) do
      if item:find('jax.debug.print', 1, true) then
        return chosen(items[i], i)
      end
    end
    chosen(nil, nil)
  end
  vim.lsp.buf.code_action()
  until_('the fix', function()
    return text():find('jax.debug.print("accuracy of', 1, true)
  end)
  vim.ui.select = select
  assert(#menu >= 2, vim.inspect(menu))
  until_('no such diagnostic', function()
    return #vim.tbl_filter(function(one) return one.code == 'python-side-effect' end, vim.diagnostic.get(buffer)) == 0
  end)
  vim.cmd('silent write')
  contains(table.concat(vim.fn.readfile(path), '\n'), '    jax.debug.print("accuracy of')

  -- The same, of the whole file.
  vim.cmd('silent undo')
  diagnostic('python-side-effect')
  vim.cmd('Jitlens fix')
  until_('all fixes', function()
    return text():find('jax.debug.print("accuracy of', 1, true)
  end)
  vim.cmd('silent write')

  -- Trace cache and graph.
  to('def accuracy')
  vim.cmd('normal! w')
  until_('the new state', function() return #vim.diagnostic.get(buffer) == 1 end)
  vim.cmd('Jitlens cache')
  local cache, kind = float()
  equal('jitlenscache', kind)
  contains(cache, 'accuracy: 2 traces')
  contains(cache, 'because of inputs: now f32[120,2]')
  vim.cmd('Jitlens graph')
  local graph, language = float()
  equal('jaxpr', language)
  contains(graph, '{ lambda ;')
  contains(graph, 'g:f32[480,2]')
  vim.cmd('Jitlens eval')
  local numbers = float()
  contains(numbers, 'f32[480,2]')
  contains(numbers, '  result')

  -- Quickfix lists.
  vim.cmd('Jitlens traces')
  local list = until_('the list of traces', function()
    local all = vim.fn.getqflist({ items = 1, title = 1 })
    return all.title == 'jitlens: traces of accuracy' and all.items
  end)
  equal(2, #list)
  contains(list[2].text, 'inputs: f32[120,2]')
  equal({ line_of('train_acc = accuracy', buffer), line_of('test_acc = accuracy', buffer) }, { list[1].lnum, list[2].lnum })
  equal(lines(buffer)[list[1].lnum]:find('accuracy(', 1, true), list[1].col)
  vim.cmd.cclose()
  to('return jnp.mean(predicted')
  vim.cmd('Jitlens trace')
  local tree = until_('the tree', function()
    local all = vim.fn.getqflist({ items = 1, title = 1 })
    return all.title == 'jitlens: trace of accuracy' and all.items
  end)
  contains(tree[1].text, 'accuracy(params[0][0]: f32[2,64]')
  equal(('│ predict  (22 equations, called in line %d)'):format(line_of('predicted = jnp.argmax', buffer)), tree[2].text)
  local product = vim.tbl_filter(function(item) return item.text:find('logits = jnp.dot', 1, true) end, tree)[1]
  equal({ line_of('logits = jnp.dot', buffer), 14 }, { product.lnum, product.col })
  vim.cmd.cclose()

  -- Names of traced values are told from others.
  local function modifiers(part, name)
    local row = line_of(part, buffer)
    local tokens = vim.lsp.semantic_tokens.get_at_pos(buffer, row - 1, lines(buffer)[row]:find(name, 1, true) - 1) or {}
    return tokens[1] and tokens[1].modifiers or {}
  end
  until_('traced names', function()
    return modifiers('return jnp.mean(predicted', 'predicted').traced
  end)
  assert(not modifiers('train_acc = accuracy', 'train_acc').traced)
  equal('Special', vim.api.nvim_get_hl(0, { name = '@lsp.mod.traced.python' }).link)

  vim.cmd('Jitlens retraces')
  local again = vim.fn.getqflist({ items = 1, title = 1 })
  equal('jitlens: retraces', again.title)
  equal({ 1, line_of('test_acc = accuracy', buffer) }, { #again.items, again.items[1].lnum })
  vim.cmd.cclose()
end

function tests.b_typing_and_reproducers()
  local buffer, _, _, folder = open(RETURN, RETURN)
  until_('the first analysis', function() return #vim.diagnostic.get(buffer) > 0 end)
  local at = line_of('return jnp.mean(predicted', buffer) - 1
  -- Two hundred edits, one after the other; characters of four bytes are among them.
  local wrong = '    wrong = inputs @ jnp.ones((3, 4))  # 😀'
  vim.api.nvim_buf_set_lines(buffer, at, at, false, { '' })
  for round = 1, 5 do
    for i = 1, vim.fn.strchars(wrong) do
      vim.api.nvim_buf_set_lines(buffer, at, at + 1, false, { vim.fn.strcharpart(wrong, 0, i) })
    end
    if round < 5 then
      vim.api.nvim_buf_set_lines(buffer, at, at + 1, false, { '' })
    end
  end
  local found = diagnostic('shape-mismatch', buffer)
  contains(found.message, 'dot_general')
  equal({ at, 12 }, { found.lnum, found.col })

  to('wrong =')
  vim.cmd('silent write')
  vim.cmd('Jitlens repro')
  local reproducer = until_('the reproducer', function()
    return vim.api.nvim_buf_get_name(0):find('/.jitlens/reproducers/', 1, true) and vim.api.nvim_get_current_buf()
  end)
  assert(vim.startswith(vim.api.nvim_buf_get_name(reproducer), folder))
  contains(text(), 'def accuracy')
  diagnostic('shape-mismatch', reproducer)
  to(' @ ')
  vim.cmd('Jitlens goto')
  until_('the source', function() return vim.api.nvim_get_current_buf() == buffer end)
  equal(at + 1, vim.api.nvim_win_get_cursor(0)[1])
  vim.cmd('silent! bwipeout! ' .. reproducer)
end

function tests.c_commands()
  local names = vim.fn.getcompletion('Jitlens ', 'cmdline')
  assert(vim.tbl_contains(names, 'cache') and vim.tbl_contains(names, 'restart') and #names >= 12, vim.inspect(names))
  equal({ 'restart', 'retraces' }, vim.fn.getcompletion('Jitlens re', 'cmdline') and vim.tbl_filter(function(name)
    return name ~= 'repro'
  end, vim.fn.getcompletion('Jitlens re', 'cmdline')))
  equal({ 'error', 'minimal', 'function' }, vim.fn.getcompletion('Jitlens repro ', 'cmdline'))
  assert(vim.tbl_contains(vim.fn.getcompletion('Jitlens rule ret', 'cmdline'), 'retrace'))
  vim.cmd('Jitlens rule key-reuse')
  contains((float()), '# key-reuse')
  vim.cmd('Jitlens nonsense')
  contains(said[#said], 'no `:Jitlens nonsense`')
  vim.cmd('Jitlens log')
  contains(vim.api.nvim_buf_get_name(0), 'lsp')
  vim.cmd('tabclose')
  -- Where there is nothing to show, that is said.
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd('Jitlens cache')
  until_('the message', function() return said[#said]:find('no traced function', 1, true) end)
end

function tests.d_restart_and_stop()
  local before = vim.lsp.get_clients({ name = 'jitlens', bufnr = 0 })[1]
  vim.cmd('Jitlens restart')
  local after = until_('another server', function()
    local client = vim.lsp.get_clients({ name = 'jitlens', bufnr = 0 })[1]
    return client and client.initialized and client.id ~= before.id and client
  end)
  equal(before.root_dir or before.config.root_dir, after.root_dir or after.config.root_dir)
  diagnostic('shape-mismatch')
  to('def accuracy')
  vim.cmd('normal! w')
  until_('its answers', function()
    vim.cmd('Jitlens cache')
    return vim.wait(300, floating, 20)
  end)
  contains((float()), 'accuracy')
  vim.cmd('Jitlens stop')
  until_('no server', function() return #vim.lsp.get_clients({ name = 'jitlens' }) == 0 end)
  vim.cmd('Jitlens cache')
  contains(said[#said], 'no server runs')
  vim.cmd('Jitlens start')
  until_('a server again', function() return #vim.lsp.get_clients({ name = 'jitlens', bufnr = 0 }) == 1 end)
end

function tests.e_health_and_help()
  vim.cmd('silent checkhealth jitlens')
  local report = text()
  contains(report, 'jitlens: server')
  contains(report, 'runs for')
  assert(not report:find('ERROR', 1, true) and not report:find('WARNING', 1, true), report)
  vim.cmd.bwipeout()
  vim.g.jitlens = vim.tbl_extend('force', vim.g.jitlens, { inlayhints = 1, code_lens = 'yes' })
  vim.cmd('silent checkhealth jitlens')
  contains(text(), 'there is no option `inlayhints`')
  contains(text(), 'the option `code_lens` is a string, not a boolean')
  vim.cmd.bwipeout()

  vim.fn.mkdir(vim.fn.tempname(), 'p')
  local tags = vim.fn.tempname()
  vim.fn.mkdir(tags .. '/doc', 'p')
  vim.fn.writefile(vim.fn.readfile(plugin .. '/doc/jitlens.txt'), tags .. '/doc/jitlens.txt')
  vim.cmd('helptags ' .. tags .. '/doc')
  local all = table.concat(vim.fn.readfile(tags .. '/doc/tags'), '\n')
  for _, name in ipairs(require('jitlens.commands').names()) do
    contains(all, ':Jitlens-' .. name)
  end
  for _, name in ipairs({ 'inlayHints', 'rules', 'environment' }) do
    contains(all, 'jitlens-setting-' .. name)
  end
  for name in pairs(require('jitlens.config').defaults) do
    contains(all, 'jitlens-option-' .. name)
  end
  local done = vim.system({ vim.v.progpath, '--clean', '-l', plugin .. '/scripts/help.lua', '--check' }, { text = true }):wait()
  equal(0, done.code, (done.stdout or '') .. (done.stderr or ''))
end

-- As a user has it: the folder on the runtime path, options in vim.g, nothing called.
vim.g.loaded_python3_provider = 0
vim.o.swapfile = false
vim.cmd('filetype plugin indent on')
vim.g.jitlens = { cmd = { server, 'server' } }
vim.opt.runtimepath:prepend(plugin)
vim.cmd('runtime! plugin/jitlens.lua')

local failed = 0
for _, name in ipairs(vim.fn.sort(vim.tbl_keys(tests))) do
  local start = vim.uv.hrtime()
  local ok, why = xpcall(tests[name], debug.traceback)
  io.write(('   %s %s (%d ms)%s\n'):format(ok and 'ok  ' or 'FAIL', name, (vim.uv.hrtime() - start) / 1e6, ok and '' or '\n' .. why))
  failed = failed + (ok and 0 or 1)
end
io.write(('Neovim %s: %s (%.1f s)\n'):format(tostring(vim.version()), failed == 0 and 'all is well' or failed .. ' failed', (vim.uv.hrtime() - began) / 1e9))
for _, client in ipairs(vim.lsp.get_clients()) do
  require('jitlens.client').stop(client)
end
vim.wait(2000, function() return #vim.lsp.get_clients() == 0 end, 20)
os.exit(failed == 0 and 0 or 1)
