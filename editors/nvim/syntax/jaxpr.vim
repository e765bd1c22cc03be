" Graphs as JAX prints them.
if exists('b:current_syntax')
  finish
endif
syntax match jaxprType /\<\(bool\|key<\w\+>\|b\?[fiuc]\(2\|4\|8\|16\|32\|64\|128\)\)\ze\~\?\[/
syntax match jaxprNumber /\(\<\|-\)\d\+\(\.\d\+\)\?\(e-\?\d\+\)\?\>/
syntax keyword jaxprKeyword lambda let in
syntax match jaxprPrimitive /\(= \)\@2<=\h\w*\ze\(\[\| \|$\)/
syntax match jaxprParameter /\<\h\w*\ze=/
syntax keyword jaxprConstant True False None
syntax match jaxprComment /^#.*$/
highlight default link jaxprType Type
highlight default link jaxprNumber Number
highlight default link jaxprKeyword Keyword
highlight default link jaxprPrimitive Function
highlight default link jaxprParameter Identifier
highlight default link jaxprConstant Constant
highlight default link jaxprComment Comment
let b:current_syntax = 'jaxpr'
