-- Texts in floating windows: `q` and Escape close them, `o` makes a window of its own of one.
local M = {}

---@param text string
---@param filetype string
---@param title string
---@return integer buffer
---@return integer window
function M.open(text, filetype, title)
  local lines = vim.split(vim.trim(text), '\n')
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].filetype = filetype
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].bufhidden = 'wipe'
  local wide = 1
  for _, line in ipairs(lines) do
    wide = math.max(wide, vim.fn.strdisplaywidth(line))
  end
  local width = math.max(#title + 4, math.min(wide + 1, math.floor(vim.o.columns * 0.9)))
  local height = math.max(1, math.min(#lines, math.floor(vim.o.lines * 0.8) - 2))
  local border = require('jitlens.config').get().border
  if border == nil then
    -- What the user has set for all floating windows is taken where Neovim has it.
    border = vim.fn.exists('+winborder') == 1 and vim.o.winborder ~= '' and vim.o.winborder or 'rounded'
  end
  local window = vim.api.nvim_open_win(buffer, true, {
    relative = 'editor',
    row = math.max(0, math.floor((vim.o.lines - height) / 2) - 1),
    col = math.max(0, math.floor((vim.o.columns - width) / 2)),
    width = width,
    height = height,
    style = 'minimal',
    border = border,
    title = ' ' .. title .. ' ',
  })
  vim.wo[window].wrap = false
  local function close()
    if vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_win_close(window, true)
    end
  end
  for _, key in ipairs({ 'q', '<Esc>' }) do
    vim.keymap.set('n', key, close, { buffer = buffer, nowait = true })
  end
  vim.keymap.set('n', 'o', function()
    vim.bo[buffer].bufhidden = 'hide'
    close()
    vim.cmd('vertical sbuffer ' .. buffer)
  end, { buffer = buffer, nowait = true })
  return buffer, window
end

return M
