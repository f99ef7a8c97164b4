import { type RefObject, useRef, useState } from "react";
import { copyWords } from "../words.ts";
import { announce } from "./announce.ts";
import { CheckIcon, CopyIcon } from "./icons.tsx";

/** Copies a text, and says so. Returns whether the browser allowed it. */
export async function copyText(text: string, what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announce(copyWords.announce(what));
    return true;
  } catch {
    announce(copyWords.refused);
    return false;
  }
}

type CopyState = "ready" | "copied" | "selected";

/** A button that copies a text; if the browser refuses, it selects the text in `shown`. */
export function CopyButton({
  text,
  what,
  label = copyWords.copy,
  shown,
}: {
  text: string;
  /** The name that screen readers say, such as “the token”. */
  what: string;
  label?: string;
  shown: RefObject<HTMLElement | null>;
}) {
  const [state, setState] = useState<CopyState>("ready");
  const copy = async () => {
    const isCopied = await copyText(text, what);
    if (!isCopied && shown.current !== null) select(shown.current);
    setState(isCopied ? "copied" : "selected");
  };
  const words = { ready: label, copied: copyWords.copied, selected: copyWords.selected };
  return (
    <button type="button" className="button button-small" onClick={copy}>
      {state === "copied" ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
      {words[state]}
      <span className="sr-only">{what}</span>
    </button>
  );
}

/** Selects a text, which may be folded away. */
function select(shown: HTMLElement): void {
  const folded = shown.closest("details");
  if (folded !== null) folded.open = true;
  if (shown instanceof HTMLTextAreaElement) shown.select();
  else getSelection()?.selectAllChildren(shown);
}

/** A text to copy, as it is, with its button. */
export function Copyable({ text, what }: { text: string; what: string }) {
  const shown = useRef<HTMLElement>(null);
  return (
    <div className="grid gap-3 rounded-lg border border-line bg-sunken p-3 sm:grid-cols-[1fr_auto] sm:items-start">
      <pre className="min-w-0 py-1 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
        <code ref={shown}>{text}</code>
      </pre>
      <div className="justify-self-start">
        <CopyButton text={text} what={what} shown={shown} />
      </div>
    </div>
  );
}
