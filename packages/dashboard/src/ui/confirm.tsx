import { type FormEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { explain } from "../api/explain.ts";
import { confirmWords } from "../words.ts";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./notice.tsx";

/**
 * Asks before something that cannot be undone. Keeping is the easier of the two buttons. If the action fails, the dialog
 * stays and says why.
 */
export function Confirm({
  title,
  action,
  isHarmless = false,
  typed,
  onConfirm,
  onClose,
  onDone,
  children,
}: {
  title: string;
  action: string;
  /** Whether nothing is lost by it. */
  isHarmless?: boolean;
  /** The text that the person must type first. */
  typed?: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** Called after the dialog has closed and has given the focus back. */
  onDone?: () => void;
  children: ReactNode;
}) {
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const inputId = useId();
  const keep = useRef<HTMLButtonElement>(null);
  const isAsked = typed === undefined && !isHarmless;
  // Once the dialog is open: its text may have buttons of its own, such as times.
  useLayoutEffect(() => {
    if (isAsked) keep.current?.focus();
  }, [isAsked]);
  const isReady = typed === undefined || text.trim().toLowerCase() === typed.toLowerCase();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isBusy) return;
    setBusy(true);
    setFault(null);
    try {
      await onConfirm();
      flushSync(onClose);
      onDone?.();
    } catch (error) {
      setFault(explain(error));
      setBusy(false);
    }
  };

  return (
    <Dialog title={title} onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        {children}
        {typed === undefined ? null : (
          <label htmlFor={inputId} className="grid gap-1 font-medium">
            {confirmWords.type(typed)}
            <input
              id={inputId}
              className="input font-normal"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          </label>
        )}
        {fault === null ? null : <Notice kind="danger">{fault}</Notice>}
        <div className="flex flex-wrap justify-end gap-3">
          <button ref={keep} type="button" className="button" onClick={onClose}>
            {confirmWords.keep}
          </button>
          <button
            type="submit"
            className={`button ${isHarmless ? "button-primary" : "button-danger"}`}
            disabled={!isReady}
            aria-disabled={isBusy}
          >
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
