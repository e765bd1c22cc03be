-- The running server, and questions to it.
local M = {}

---The client of a buffer; of any buffer where this one has none.
---@param buffer? integer
---@return vim.lsp.Client?
function M.get(buffer)
  local here = vim.lsp.get_clients({ name = 'jitlens', bufnr = buffer or 0 })[1]
  return here or (buffer == nil and vim.lsp.get_clients({ name = 'jitlens' })[1] or nil)
end

---@param text string
---@param level? integer
function M.say(text, level)
  vim.notify('jitlens: ' .. text, level or vim.log.levels.INFO)
end

---Asks about the cursor, and hands the answer on; where there is none, says so.
---@param method string
---@param none string
---@param answered fun(answer: table, client: vim.lsp.Client)
function M.ask_at_cursor(method, none, answered)
  local client = M.get(0)
  if not client then
    return M.say('no server runs for this buffer (see :checkhealth jitlens)', vim.log.levels.WARN)
  end
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  M.request(client, method, params, function(answer)
    if answer then
      answered(answer, client)
    else
      M.say(none)
    end
  end)
end

---@param client vim.lsp.Client
---@param method string
---@param params table
---@param answered fun(answer: any)
function M.request(client, method, params, answered)
  local function handler(failure, answer)
    if failure then
      return M.say(failure.message or tostring(failure), vim.log.levels.ERROR)
    end
    answered(answer ~= vim.NIL and answer or nil)
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, params, handler, 0)
  else
    client.request(method, params, handler, 0)
  end
end

---@param client vim.lsp.Client
function M.stop(client)
  if vim.fn.has('nvim-0.11') == 1 then
    client:stop()
  else
    client.stop()
  end
end

return M
