" Highlighting for DVE.
if exists("b:current_syntax")
  finish
endif

syntax case match
syntax keyword dveType const byte int channel process property system async sync
syntax keyword dvePart state init commit accept assert trans guard effect
syntax keyword dveOperator and imply not or
syntax keyword dveBoolean true false
syntax match dveNumber "\<\d\+\>"
syntax match dveArrow "->"
syntax match dveComment "//.*$" contains=@Spell
syntax region dveComment start="/\*" end="\*/" contains=@Spell

highlight default link dveType Type
highlight default link dvePart Statement
highlight default link dveOperator Operator
highlight default link dveBoolean Boolean
highlight default link dveNumber Number
highlight default link dveArrow Operator
highlight default link dveComment Comment

let b:current_syntax = "dve"
