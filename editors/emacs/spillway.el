;;; spillway.el --- Modes for Murphi and DVE  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "26.1"))
;; Keywords: languages

;;; Commentary:

;; Highlighting for models of the Spillway model checker.  M-x compile runs `spillway lint' on the
;; file, and the compilation buffer leads to errors and warnings.
;;
;;   (require 'spillway)

;;; Code:

(defvar compile-command)

(defun spillway--set-compile-command ()
  "Let \\[compile] examine the model in this buffer."
  (when buffer-file-name
    (setq-local compile-command
                (concat "spillway lint " (shell-quote-argument
                                          (file-name-nondirectory buffer-file-name))))))

(defconst murphi-types
  '("const" "type" "var" "array" "boolean" "enum" "multiset" "of" "real" "record"
      "scalarset" "union" "endrecord" "function" "procedure" "endfunction" "endprocedure"
      "begin")
  "Words that declare something.")

(defconst murphi-rules
  '("rule" "ruleset" "startstate" "invariant" "assert" "assume" "cover" "liveness" "alias"
      "choose" "endrule" "endruleset" "endstartstate" "endalias" "endchoose" "end")
  "Words of rules and properties.")

(defconst murphi-statements
  '("by" "case" "clear" "do" "else" "elsif" "endexists" "endfor" "endforall" "endif"
      "endswitch" "endwhile" "error" "exists" "for" "forall" "if" "ismember" "isundefined"
      "multisetadd" "multisetcount" "multisetremove" "multisetremovepred" "put" "return"
      "switch" "then" "to" "undefine" "while")
  "Other keywords.")

(defconst murphi-font-lock-keywords
  (list (cons (regexp-opt murphi-types 'symbols) 'font-lock-type-face)
        (cons (regexp-opt murphi-rules 'symbols) 'font-lock-builtin-face)
        (cons (regexp-opt murphi-statements 'symbols) 'font-lock-keyword-face)
        (cons (regexp-opt '("true" "false") 'symbols) 'font-lock-constant-face))
  "Highlighting of Murphi.")

(defvar murphi-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?- ". 12" table)
    (modify-syntax-entry ?/ ". 14" table)
    (modify-syntax-entry ?* ". 23b" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    table)
  "Comments are -- to the end of the line, and between /* and */.")

;;;###autoload
(define-derived-mode murphi-mode prog-mode "Murphi"
  "Major mode for models in Murphi."
  (setq-local comment-start "-- ")
  (setq-local comment-end "")
  (setq-local font-lock-defaults '(murphi-font-lock-keywords nil t))
  (spillway--set-compile-command))

(defconst dve-types
  '("const" "byte" "int" "channel" "process" "property" "system" "async" "sync")
  "Words that declare something.")

(defconst dve-parts
  '("state" "init" "commit" "accept" "assert" "trans" "guard" "effect")
  "Words of processes.")

(defconst dve-operators
  '("and" "imply" "not" "or")
  "Operators that are words.")

(defconst dve-font-lock-keywords
  (list (cons (regexp-opt dve-types 'symbols) 'font-lock-type-face)
        (cons (regexp-opt dve-parts 'symbols) 'font-lock-keyword-face)
        (cons (regexp-opt dve-operators 'symbols) 'font-lock-builtin-face)
        (cons (regexp-opt '("true" "false") 'symbols) 'font-lock-constant-face))
  "Highlighting of DVE.")

(defvar dve-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    table)
  "Comments are // to the end of the line, and between /* and */.")

;;;###autoload
(define-derived-mode dve-mode prog-mode "DVE"
  "Major mode for models in DVE."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local font-lock-defaults '(dve-font-lock-keywords))
  (spillway--set-compile-command))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.dve\\'" . dve-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\.murphi\\'" . murphi-mode))

(defun spillway--murphi-p ()
  "Whether this buffer visits a file with the extension .m that looks like Murphi."
  (and buffer-file-name
       (string-match-p "\\.m\\'" buffer-file-name)
       (save-excursion
         (goto-char (point-min))
         (let ((case-fold-search t))
           (re-search-forward "^[ \t]*\\(startstate\\|ruleset\\|invariant\\|rule[ \t]*\"\\)"
                              (min (point-max) 20000) t)))))

;;;###autoload
(add-to-list 'magic-mode-alist '(spillway--murphi-p . murphi-mode))

(provide 'spillway)
;;; spillway.el ends here
