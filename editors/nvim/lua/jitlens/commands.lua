-- `:Jitlens SUBCOMMAND`.
local M = {}
local client = require('jitlens.client')

---@class jitlens.Subcommand
---@field about string What it does, in one line.
---@field run fun(arguments: string[])
---@field complete? fun(): string[]

---Does the code action of a kind at the cursor.
---@param kind string
---@param none string
local function act(kind, none)
  local running = client.get(0)
  if not running then
    return client.say('no server runs for this buffer (see :checkhealth jitlens)', vim.log.levels.WARN)
  end
  local params = vim.lsp.util.make_range_params(0, running.offset_encoding)
  params.context = { diagnostics = {}, only = { kind } }
  client.request(running, 'textDocument/codeAction', params, function(actions)
    local function choose(action)
      if not action then
        return
      end
      if action.edit then
        vim.lsp.util.apply_workspace_edit(action.edit, running.offset_encoding)
      end
      if action.command then
        client.request(running, 'workspace/executeCommand', { command = action.command.command, arguments = action.command.arguments }, function() end)
      end
    end
    actions = actions or {}
    if #actions == 0 then
      return client.say(none)
    end
    if #actions == 1 then
      return choose(actions[1])
    end
    vim.ui.select(actions, {
      prompt = 'jitlens',
      format_item = function(action)
        return action.title
      end,
    }, choose)
  end)
end

---The rules of the server, by its command line.
---@return table[]
local function rules()
  local command = require('jitlens.config').get().cmd[1]
  local ok, done = pcall(function()
    return vim.system({ command, 'rule', '--format', 'json' }, { text = true }):wait(5000)
  end)
  return ok and done.code == 0 and vim.json.decode(done.stdout).rules or {}
end

---The rule of the diagnostic at the cursor.
---@return string?
local function rule_at_cursor()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local found
  for _, diagnostic in ipairs(vim.diagnostic.get(0, { lnum = row - 1 })) do
    if diagnostic.source == 'jitlens' and (not found or (diagnostic.col <= column and column < diagnostic.end_col)) then
      found = diagnostic.code
    end
  end
  return found
end

---Stops a client; calls back when it is gone.
---@param running vim.lsp.Client
---@param gone fun()
local function stop(running, gone)
  client.stop(running)
  local waited = 0
  local timer = assert(vim.uv.new_timer())
  timer:start(20, 20, vim.schedule_wrap(function()
    waited = waited + 20
    if vim.lsp.get_client_by_id(running.id) and waited < 3000 then
      return
    end
    if not timer:is_closing() then
      timer:stop()
      timer:close()
      gone()
    end
  end))
end

---@type table<string, jitlens.Subcommand>
M.subcommands = {
  cache = {
    about = 'What the cache of the traced function at the cursor holds.',
    run = function()
      client.ask_at_cursor('jitlens/traceCache', 'no traced function, and no call of one, is here', function(answer)
        require('jitlens.float').open(answer.text, 'jitlenscache', answer['function'])
      end)
    end,
  },
  graph = {
    about = 'The graph of the function at the cursor, as jax.make_jaxpr prints it.',
    run = function()
      client.ask_at_cursor('jitlens/graphs', 'no function is here', function(answer)
        require('jitlens.float').open(answer.text, #answer.traces > 0 and 'jaxpr' or '', answer['function'])
      end)
    end,
  },
  eval = {
    about = 'What the function at the cursor gives, and where its first NaN comes from.',
    run = function()
      client.ask_at_cursor('jitlens/evaluate', 'no function is here', function(answer)
        require('jitlens.float').open(answer.text, '', answer['function'])
      end)
    end,
  },
  trace = {
    about = 'The functions and lines that the graph of the function at the cursor comes from, as a quickfix list.',
    run = function()
      client.ask_at_cursor('jitlens/traceTree', 'no function is here', require('jitlens.quickfix').tree)
    end,
  },
  traces = {
    about = 'The calls that made the traces of the function at the cursor, as a quickfix list.',
    run = function()
      client.ask_at_cursor('jitlens/graphs', 'no function is here', require('jitlens.quickfix').traces)
    end,
  },
  retraces = {
    about = 'All places of open files where a function is traced again, as a quickfix list.',
    run = function()
      require('jitlens.quickfix').retraces()
    end,
  },
  fix = {
    about = 'Make all fixes of this file.',
    run = function()
      act('source.fixAll.jitlens', 'nothing in this file can be fixed')
    end,
  },
  repro = {
    about = "A reproducer: of the program's error, a `minimal` one of it, or (`function`) of the function at the cursor.",
    complete = function()
      return { 'error', 'minimal', 'function' }
    end,
    run = function(arguments)
      if arguments[1] == 'function' then
        return act('refactor.extract.jitlens', 'the cursor is in no traced function')
      end
      local running = client.get(0)
      if not running then
        return client.say('no server runs for this buffer (see :checkhealth jitlens)', vim.log.levels.WARN)
      end
      local params = { command = 'jitlens.reproduce', arguments = { { uri = vim.uri_from_bufnr(0), minimal = arguments[1] == 'minimal' } } }
      client.request(running, 'workspace/executeCommand', params, function() end)
    end,
  },
  ['goto'] = {
    about = 'Go from a line of a reproducer to its source, or back.',
    run = function()
      act('jitlens.goto', 'this line has no counterpart in a reproducer, or in a source')
    end,
  },
  rule = {
    about = 'The page of a rule: that of the diagnostic at the cursor, or the one named.',
    complete = function()
      return vim.tbl_map(function(rule)
        return rule.name
      end, rules())
    end,
    run = function(arguments)
      local name = arguments[1] or rule_at_cursor()
      for _, rule in ipairs(rules()) do
        if rule.name == name then
          return require('jitlens.float').open(rule.page, 'markdown', name)
        end
      end
      client.say(name and ('there is no rule `%s`'):format(name) or 'no diagnostic of jitlens is in this line')
    end,
  },
  hints = {
    about = 'Show the shapes behind names in this buffer, or hide them.',
    run = function()
      local filter = { bufnr = vim.api.nvim_get_current_buf() }
      vim.lsp.inlay_hint.enable(not vim.lsp.inlay_hint.is_enabled(filter), filter)
    end,
  },
  start = {
    about = 'Start the server for this buffer.',
    run = function()
      local config = require('jitlens.config').lsp()
      config = vim.lsp.config and vim.lsp.config.jitlens or config
      vim.lsp.start(vim.tbl_extend('force', config, { root_dir = vim.fs.root(0, config.root_markers) }), { bufnr = 0 })
    end,
  },
  stop = {
    about = 'Stop the server.',
    run = function()
      for _, running in ipairs(vim.lsp.get_clients({ name = 'jitlens' })) do
        client.stop(running)
      end
    end,
  },
  restart = {
    about = 'Stop the server and start it again.',
    run = function()
      local all = vim.lsp.get_clients({ name = 'jitlens' })
      if #all == 0 then
        return M.subcommands.start.run({})
      end
      for _, running in ipairs(all) do
        local buffers = vim.tbl_keys(running.attached_buffers)
        local config = vim.tbl_extend('force', running.config, {})
        stop(running, function()
          for _, buffer in ipairs(buffers) do
            if vim.api.nvim_buf_is_loaded(buffer) then
              vim.lsp.start(config, { bufnr = buffer })
            end
          end
        end)
      end
    end,
  },
  log = {
    about = "Open Neovim's log of its language servers, where the server's own messages stand too.",
    run = function()
      local path = vim.lsp.log and vim.lsp.log.get_filename and vim.lsp.log.get_filename() or vim.lsp.get_log_path()
      vim.cmd('tabedit ' .. vim.fn.fnameescape(path))
      vim.cmd('normal! G')
    end,
  },
}

---@param command { fargs: string[] }
function M.run(command)
  local name = command.fargs[1]
  local subcommand = name and M.subcommands[name]
  if subcommand then
    return subcommand.run(vim.list_slice(command.fargs, 2))
  end
  local lines = { name and ('There is no `:Jitlens %s`; there are:'):format(name) or 'Subcommands of `:Jitlens`:' }
  for _, known in ipairs(M.names()) do
    table.insert(lines, ('  %-9s %s'):format(known, M.subcommands[known].about))
  end
  client.say(table.concat(lines, '\n'), name and vim.log.levels.ERROR or vim.log.levels.INFO)
end

---@return string[]
function M.names()
  local names = vim.tbl_keys(M.subcommands)
  table.sort(names)
  return names
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local name = line:match('^%s*%S*Jitlens!?%s+(%S+)%s')
  local all = M.names()
  if name then
    local subcommand = M.subcommands[name]
    all = subcommand and subcommand.complete and subcommand.complete() or {}
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, all)
end

return M
