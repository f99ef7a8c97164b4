import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { paths, searchFieldId } from "../paths.ts";
import { Dialog } from "../ui/dialog.tsx";
import { focusTitle } from "../ui/focus.ts";
import { shellWords, shortcutWords } from "../words.ts";

/** Sections by the key that follows `g`. */
const sectionKeys: Readonly<Record<string, (typeof paths)["graph" | "workspaces" | "tokens" | "activity"]>> =
  {
    g: paths.graph,
    w: paths.workspaces,
    t: paths.tokens,
    a: paths.activity,
  };

/** Milliseconds within which a second key belongs to the first. */
const sequenceMs = 1_500;

/** Shortcuts of single keys. They do nothing while the person types, and with a modifier they are the browser's. */
export function useShortcuts(onHelp: () => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY;
    const run = (key: string, at: number): boolean => {
      const section = at - startedAt < sequenceMs ? sectionKeys[key] : undefined;
      startedAt = key === "g" && section === undefined ? at : Number.NEGATIVE_INFINITY;
      // Also where the view is shown already.
      if (section !== undefined) void navigate({ to: section }).then(focusTitle);
      else if (key === "/") focusSearch();
      else if (key === "?") onHelp();
      else return false;
      return true;
    };
    const listen = (event: KeyboardEvent) => {
      if (isForOthers(event)) return;
      if (run(event.key, event.timeStamp)) event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [navigate, onHelp]);
}

function isForOthers({ target, defaultPrevented, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey) return true;
  if (document.querySelector("dialog[open]") !== null) return true;
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

function focusSearch(): void {
  const field = document.getElementById(searchFieldId);
  if (field instanceof HTMLInputElement) field.select();
}

const rows = [
  ["/", shortcutWords.search],
  ["g g", shortcutWords.graph],
  ["g w", shortcutWords.workspaces],
  ["g t", shortcutWords.tokens],
  ["g a", shortcutWords.activity],
  ["?", shortcutWords.help],
  ["Esc", shortcutWords.close],
] as const;

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={shellWords.shortcuts} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2">
        {rows.map(([keys, words]) => (
          <div key={keys} className="contents">
            <dt className="flex gap-1">
              {keys.split(" ").map((key, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice.
                <kbd key={index} className="key">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <div className="flex justify-end">
        <button type="button" className="button" onClick={onClose}>
          {shellWords.close}
        </button>
      </div>
    </Dialog>
  );
}
