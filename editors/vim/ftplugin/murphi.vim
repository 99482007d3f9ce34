" Murphi: :make runs `spillway lint`, and the quickfix list has its errors.
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

compiler spillway
setlocal commentstring=--\ %s
setlocal comments=s1:/*,mb:*,ex:*/,:--
let b:undo_ftplugin = "setlocal commentstring< comments< makeprg< errorformat<"
