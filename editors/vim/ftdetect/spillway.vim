" Models of Spillway.  The extension .m is shared with other languages, so the text decides.
autocmd BufNewFile,BufRead *.murphi setfiletype murphi
autocmd BufNewFile,BufRead *.dve setfiletype dve
autocmd BufRead *.m call s:DetectMurphi()

function! s:DetectMurphi() abort
  for line in getline(1, 200)
    if line =~? '^\s*\(startstate\|ruleset\|invariant\|rule\s*"\|\(const\|type\|var\)\s*\(--.*\)\=$\)'
      set filetype=murphi
      return
    endif
  endfor
endfunction
