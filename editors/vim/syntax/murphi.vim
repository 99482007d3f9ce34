" Highlighting for Murphi.
if exists("b:current_syntax")
  finish
endif

syntax case ignore
syntax keyword murphiType const type var array boolean enum multiset of real record
syntax keyword murphiType scalarset union endrecord function procedure endfunction
syntax keyword murphiType endprocedure begin
syntax keyword murphiRule rule ruleset startstate invariant assert assume cover liveness
syntax keyword murphiRule alias choose endrule endruleset endstartstate endalias endchoose
syntax keyword murphiRule end
syntax keyword murphiStatement by case clear do else elsif endexists endfor endforall endif
syntax keyword murphiStatement endswitch endwhile error exists for forall if ismember
syntax keyword murphiStatement isundefined multisetadd multisetcount multisetremove
syntax keyword murphiStatement multisetremovepred put return switch then to undefine while
syntax keyword murphiBoolean true false
syntax match murphiNumber "\<\(0x\x\+\|\d\+\)\>"
syntax match murphiOperator "==>\|:=\|->"
syntax match murphiComment "--.*$" contains=@Spell
syntax region murphiComment start="/\*" end="\*/" contains=@Spell
syntax region murphiString start=+"+ skip=+\\.+ end=+"\|$+ contains=@Spell

highlight default link murphiType Type
highlight default link murphiRule Structure
highlight default link murphiStatement Statement
highlight default link murphiBoolean Boolean
highlight default link murphiNumber Number
highlight default link murphiOperator Operator
highlight default link murphiComment Comment
highlight default link murphiString String

let b:current_syntax = "murphi"
