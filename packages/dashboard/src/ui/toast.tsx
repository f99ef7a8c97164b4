import { useSyncExternalStore } from "react";
import { shellWords } from "../words.ts";

/** One message about something that has just happened, above all views, until the person closes it. */
let text: string | null = null;
const listeners = new Set<() => void>();

export function showToast(next: string | null): void {
  text = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toast() {
  const shown = useSyncExternalStore(subscribe, () => text);
  if (shown === null) return null;
  return (
    <div className="notice" role="alert">
      <p>{shown}</p>
      <button type="button" className="button button-small" onClick={() => showToast(null)}>
        {shellWords.close}
      </button>
    </div>
  );
}
