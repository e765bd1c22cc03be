-- Traces and retraces as quickfix lists.
local M = {}

---@param title string
---@param items table[]
---@param none string
local function show(title, items, none)
  if #items == 0 then
    return require('jitlens.client').say(none)
  end
  vim.fn.setqflist({}, ' ', { title = title, items = items })
  vim.cmd('botright copen')
end

---A count with its noun.
local function counted(n, noun)
  return ('%d %s%s'):format(n, noun, n == 1 and '' or 's')
end

---The calls that made the traces of a function, from the answer of `jitlens/graphs`.
---@param answer { function: string, text: string, traces: table[] }
function M.traces(answer)
  local items = {}
  for _, trace in ipairs(answer.traces) do
    local inputs = {}
    for i, input in ipairs(trace.inputs) do
      local name = trace.arguments[i]
      table.insert(inputs, (type(name) == 'string' and name .. ': ' or '') .. input.aval)
    end
    -- Where nothing calls it, a comment describes what it takes.
    local call = type(trace.call) == 'table' and trace.call or { file = trace.file, range = { trace.line, 0, trace.line, 0 } }
    local range = call.range
    table.insert(items, {
      filename = vim.uri_to_fname(call.file),
      lnum = range[1],
      col = range[2] + 1,
      end_lnum = range[3],
      end_col = range[4] + 1,
      text = ('%s(%s): %s'):format(trace['function'], table.concat(inputs, ', '), counted(#trace.equations, 'equation')),
    })
  end
  show('jitlens: traces of ' .. answer['function'], items, answer.text)
end

---The functions and lines that traces consist of, from the answer of `jitlens/traceTree`: what is inside stands further to the right, behind lines.
---@param answer { function: string, text: string, rows: table[] }
function M.tree(answer)
  local items = {}
  local function add(rows, depth)
    for _, row in ipairs(rows) do
      -- Neovim takes white space from the front of what it shows.
      local item = { text = ('%s%s  (%s)'):format(('│ '):rep(depth), row.label, row.detail) }
      if type(row.place) == 'table' then
        local range = row.place.range
        item.filename = vim.uri_to_fname(row.place.file)
        item.lnum, item.col, item.end_lnum, item.end_col = range[1], range[2] + 1, range[3], range[4] + 1
      end
      table.insert(items, item)
      add(row.rows, depth + 1)
    end
  end
  add(answer.rows, 0)
  show('jitlens: trace of ' .. answer['function'], items, answer.text)
end

-- Rules that tell of functions being traced again.
local AGAIN = { retrace = true, ['fresh-function'] = true }

---All places of open files where a function is traced again.
function M.retraces()
  local found = vim.tbl_filter(function(diagnostic)
    return diagnostic.source == 'jitlens' and AGAIN[diagnostic.code] ~= nil
  end, vim.diagnostic.get())
  local items = vim.diagnostic.toqflist(found)
  for _, item in ipairs(items) do
    item.text = item.text:gsub('\n.*', '')
  end
  show('jitlens: retraces', items, 'nothing is traced again')
end

return M
