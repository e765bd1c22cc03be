;;; lsp-mode.el --- The configuration of docs/editors.md in Emacs with lsp-mode  -*- lexical-binding: t -*-
;; JITLENS=PATH emacs --batch -l lsp-mode.el: exit code 0 if all is well.

(package-initialize)
(require 'cl-lib)
(defconst here (file-name-directory load-file-name))
(defconst repository (expand-file-name "../../.." here))
(defconst work (file-name-as-directory (file-truename (make-temp-file "jitlens-emacs" t))))
(setq create-lockfiles nil make-backup-files nil python-indent-guess-indent-offset nil
      lsp-session-file (expand-file-name "session" work) lsp-server-install-dir (expand-file-name "servers" work)
      lsp-auto-guess-root t lsp-enable-suggest-server-download nil lsp-keep-workspace-alive nil lsp-restart 'ignore
      lsp-diagnostics-provider :none lsp-enable-file-watchers nil lsp-warn-no-matched-clients nil lsp-enable-snippet nil)
(require 'lsp-mode)

(defun text-of (file)
  (with-temp-buffer (insert-file-contents file) (buffer-string)))

(defun wait-for (what test)
  "Wait until TEST gives something, and give that; WHAT it is."
  (let ((end (+ (float-time) 40)) answer)
    (while (and (not (setq answer (funcall test))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or answer (error "Timed out: %s" what))))

;; A user has the server on the path, and what the documentation says in the init file: the part about lsp-mode.
(make-symbolic-link (expand-file-name (getenv "JITLENS")) (expand-file-name "jitlens" work))
(push work exec-path)
(setenv "PATH" (concat work ":" (getenv "PATH")))
(let ((page (text-of (expand-file-name "docs/editors.md" repository))))
  (string-match "```lisp\n(with-eval-after-load 'lsp-mode\\(?:.\\|\n\\)*?```" page)
  (eval (car (read-from-string (match-string 0 page) (length "```lisp\n")))))

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
(let ((inhibit-message t)) (lsp))
(wait-for "the server" (lambda () (cl-find-if (lambda (one) (eq (lsp--workspace-status one) 'initialized)) (lsp-workspaces))))

(defun found (text)
  (cl-find-if (lambda (one) (string-match-p (regexp-quote text) (lsp:diagnostic-message one)))
              (append (gethash program (lsp-diagnostics t)) nil)))

(let* ((diagnostic (wait-for "the diagnostic" (lambda () (found "runs once per trace"))))
       (start (lsp:range-start (lsp:diagnostic-range diagnostic))))
  (goto-char (lsp--position-to-point start))
  (cl-assert (looking-at "print(") t)
  (message "   diagnostic: %s" (car (split-string (lsp:diagnostic-message diagnostic) "\n")))

  (save-excursion
    (goto-char (point-min))
    (search-forward "logp * targets")
    (goto-char (match-beginning 0))
    (let ((shown (lsp:markup-content-value (lsp:hover-contents (lsp-request "textDocument/hover" (lsp--text-document-position-params))))))
      (cl-assert (string-match-p "f32\\[32,3\\]" shown) t)
      (message "   hover: %s" shown)))

  (let ((fix (cl-find-if (lambda (action) (string-match-p "jax.debug.print" (lsp:code-action-title action)))
                         (append (lsp-code-actions-at-point) nil))))
    (cl-assert fix t)
    (let ((inhibit-message t)) (lsp-execute-code-action fix))
    (wait-for "the end of the diagnostic" (lambda () (not (found "runs once per trace"))))
    (let ((inhibit-message t)) (save-buffer))
    (cl-assert (string-match-p "^    jax\\.debug\\.print(\"accuracy of" (text-of program)) t)
    (message "   fixed: %s" (lsp:code-action-title fix))))

(let ((inhibit-message t)) (ignore-errors (mapc #'lsp-workspace-shutdown (lsp-workspaces))))
(delete-directory work t)
(message "Emacs %s, lsp-mode: all is well" emacs-version)
;;; lsp-mode.el ends here
