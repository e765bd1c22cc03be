;;; run.el --- The configuration of docs/editors.md in Emacs with eglot  -*- lexical-binding: t -*-
;; JITLENS=PATH emacs --batch -l run.el: exit code 0 if all is well.

(package-initialize)
(require 'eglot)
(require 'cl-lib)
(setq create-lockfiles nil make-backup-files nil python-indent-guess-indent-offset nil eglot-confirm-server-initiated-edits nil)

(defconst here (file-name-directory load-file-name))
(defconst repository (expand-file-name "../../.." here))
(defconst work (file-name-as-directory (file-truename (make-temp-file "jitlens-emacs" t))))

(defun text-of (file)
  (with-temp-buffer (insert-file-contents file) (buffer-string)))

(defun wait-for (what test)
  "Wait until TEST gives something, and give that; WHAT it is."
  (let ((end (+ (float-time) 30)) answer)
    (while (and (not (setq answer (funcall test))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or answer (error "Timed out: %s" what))))

;; A user has the server on the path, and what the documentation says in the init file.
(make-symbolic-link (expand-file-name (getenv "JITLENS")) (expand-file-name "jitlens" work))
(push work exec-path)
(setenv "PATH" (concat work ":" (getenv "PATH")))
(let ((page (text-of (expand-file-name "docs/editors.md" repository))))
  (string-match "```lisp\n\\(\\(?:.\\|\n\\)*?\\)```" page)
  (eval (car (read-from-string (match-string 1 page)))))

(copy-directory (expand-file-name "tests/projects/mlp_scratch" repository) (expand-file-name "project" work))
(make-directory (expand-file-name "project/.git" work))
(defconst program (expand-file-name "project/main.py" work))
(with-temp-buffer
  (insert-file-contents program)
  (search-forward "    return jnp.mean(predicted == labels)")
  (beginning-of-line)
  (insert "    print(\"accuracy of\", predicted)\n")
  (write-region nil nil program nil 'silent))

(find-file program)
(let ((noninteractive nil)) (flymake-mode 1))
(apply #'eglot--connect (eglot--guess-contact))
(eglot--maybe-activate-editing-mode)
(flymake-start)

(defun found (text)
  (cl-find-if (lambda (one) (string-match-p (regexp-quote text) (flymake-diagnostic-text one))) (flymake-diagnostics)))

(let ((diagnostic (wait-for "the diagnostic" (lambda () (found "runs once per trace")))))
  (goto-char (flymake-diagnostic-beg diagnostic))
  (cl-assert (looking-at "print(") t)
  (message "   diagnostic: %s" (car (split-string (flymake-diagnostic-text diagnostic) "\n")))

  (save-excursion
    (goto-char (point-min))
    (search-forward "logp * targets")
    (goto-char (match-beginning 0))
    (let* ((answer (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams)))
           (shown (substring-no-properties (eglot--hover-info (plist-get answer :contents)))))
      (cl-assert (string-match-p "f32\\[32,3\\]" shown) t)
      (message "   hover: %s" shown)))

  (let* ((actions (append (eglot-code-actions (line-beginning-position) (line-end-position) "quickfix" nil) nil))
         (fix (cl-find-if (lambda (action) (string-match-p "jax.debug.print" (plist-get action :title))) actions)))
    (cl-assert fix t)
    (let ((inhibit-message t)) (eglot--apply-workspace-edit (plist-get fix :edit)))
    (eglot--signal-textDocument/didChange) ; In batch mode there is no idle time, after which it is sent.
    (flymake-start)
    (wait-for "the end of the diagnostic" (lambda () (not (found "runs once per trace"))))
    (let ((inhibit-message t)) (save-buffer))
    (cl-assert (string-match-p "^    jax\\.debug\\.print(\"accuracy of" (text-of program)) t)
    (message "   fixed: %s" (plist-get fix :title))))

(let ((inhibit-message t)) (ignore-errors (eglot-shutdown (eglot-current-server))))
(delete-directory work t)
(message "Emacs %s, eglot: all is well" emacs-version)
;;; run.el ends here
