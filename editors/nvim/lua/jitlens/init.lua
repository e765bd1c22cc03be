-- jitlens in Neovim: shapes, traces and errors of JAX programs while you type.
local M = {}
local config = require('jitlens.config')

---Gives options. Nobody has to call it: `vim.g.jitlens` does the same.
---@param options? jitlens.Options
function M.setup(options)
  vim.g.jitlens = vim.tbl_deep_extend('force', vim.g.jitlens or {}, options or {})
  if vim.lsp.config then
    vim.lsp.config('jitlens', config.lsp())
  end
  M.enable()
end

---What a lens above a function does (|vim.lsp.codelens.run()|): it shows what the cache of the function holds.
---@param command { arguments: table[] }
---@param context { client_id: integer }
function M.lens(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  if client then
    require('jitlens.client').request(client, 'jitlens/traceCache', command.arguments[1], function(answer)
      if answer then
        require('jitlens.float').open(answer.text, 'jitlenscache', answer['function'])
      end
    end)
  end
end

---Starts the server with Python files, unless the option `enable` is false.
function M.enable()
  local group = vim.api.nvim_create_augroup('jitlens', {})
  vim.lsp.commands['jitlens.traceCacheAt'] = M.lens
  vim.api.nvim_create_autocmd('LspAttach', {
    group = group,
    desc = 'jitlens: hints and lenses',
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == 'jitlens' then
        M.attached(event.buf, group)
      end
    end,
  })
  if not config.get().enable then
    return
  end
  if vim.lsp.enable then
    vim.lsp.enable('jitlens')
    return
  end
  -- Neovim 0.10.
  local function start(buffer)
    if vim.bo[buffer].filetype ~= 'python' or vim.bo[buffer].buftype ~= '' then
      return
    end
    local options = config.lsp()
    options.root_dir = vim.fs.root(buffer, options.root_markers)
    vim.lsp.start(options, { bufnr = buffer })
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = 'python',
    desc = 'jitlens: start the server',
    callback = function(event)
      start(event.buf)
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      start(buffer)
    end
  end
end

---@param buffer integer
---@param group integer
function M.attached(buffer, group)
  local options = config.get()
  if options.inlay_hints then
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
  if not options.code_lens then
    return
  end
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = buffer })
    return
  end
  local function refresh()
    if vim.api.nvim_buf_is_valid(buffer) then
      vim.lsp.codelens.refresh({ bufnr = buffer })
    end
  end
  refresh()
  -- Before 0.12 Neovim leaves it to its users when lenses are asked for. Diagnostics come with an analysis, and so do lenses.
  vim.api.nvim_clear_autocmds({ group = group, buffer = buffer })
  vim.api.nvim_create_autocmd({ 'DiagnosticChanged', 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    group = group,
    buffer = buffer,
    desc = 'jitlens: ask for lenses',
    callback = refresh,
  })
end

return M
