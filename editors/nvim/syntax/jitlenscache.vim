" What the cache of a traced function holds.
if exists('b:current_syntax')
  finish
endif
syntax match jitlenscacheTrace /^trace \d\+/
syntax match jitlenscacheArgument /^    [^:]\+\ze:/
syntax match jitlenscacheType /\<\(bool\|key<\w\+>\|b\?[fiuc]\(2\|4\|8\|16\|32\|64\|128\)\)\~\?\[[^]]*\]/
syntax match jitlenscacheReason /^  because of .*$/
syntax match jitlenscacheComment /^#.*$/
highlight default link jitlenscacheTrace Keyword
highlight default link jitlenscacheArgument Identifier
highlight default link jitlenscacheType Type
highlight default link jitlenscacheReason WarningMsg
highlight default link jitlenscacheComment Comment
let b:current_syntax = 'jitlenscache'
