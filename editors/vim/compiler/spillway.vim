" The errors and warnings of `spillway lint`.
if exists("current_compiler")
  finish
endif
let current_compiler = "spillway"

CompilerSet makeprg=spillway\ lint\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%-G%.%#
