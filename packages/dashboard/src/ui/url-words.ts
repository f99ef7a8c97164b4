import { type RefObject, useEffect, useRef } from "react";

/** A field for words that the URL has too. */
export interface UrlWords {
  readonly field: RefObject<HTMLInputElement | null>;
  /** The words that this field has put into the URL; others come from a link or the browser's buttons. */
  readonly sent: RefObject<string | undefined>;
  /** Calls back once nothing has been typed for some milliseconds; a later call replaces it. */
  readonly later: (callback: () => void, pauseMs: number) => void;
  /** Calls back no more. */
  readonly cancel: () => void;
}

/** Keeps a field and the words of the URL equal, without changing words while a person types them. */
export function useUrlWords(words: string | undefined): UrlWords {
  const field = useRef<HTMLInputElement>(null);
  const sent = useRef(words);
  const timer = useRef<number>(undefined);
  useEffect(() => {
    if (field.current === null || sent.current === words) return;
    field.current.value = words ?? "";
    sent.current = words;
  }, [words]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const cancel = () => clearTimeout(timer.current);
  const later = (callback: () => void, pauseMs: number) => {
    cancel();
    timer.current = window.setTimeout(callback, pauseMs);
  };
  return { field, sent, later, cancel };
}
