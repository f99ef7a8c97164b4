import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { searchFieldId } from "../paths.ts";
import { clewUrl } from "../session/urls.ts";
import { Dialog } from "../ui/dialog.tsx";
import { focusTitle } from "../ui/focus.ts";
import { shellWords, shortcutWords } from "../words.ts";
import { destinations } from "./destinations.ts";

/** Milliseconds within which a second key belongs to the first. */
const sequenceMs = 1_500;

/** Whether the person's keyboard has a command key, which then stands in the place of Ctrl. */
const isMac = /^(Mac|iP)/.test(navigator.platform);

/** The keys that open the palette. */
export const paletteKeys = isMac ? "⌘ K" : "Ctrl K";

const singleKeysOff = `clew.single-keys-off:${clewUrl.pathname}`;

/**
 * Shortcuts. Those of single keys do nothing while the person types, with a modifier they are the browser's, and they can be turned
 * off: people who speak to their computer press keys by accident (WCAG 2.2, 2.1.4).
 */
export function useShortcuts({ onHelp, onPalette }: { onHelp: () => void; onPalette: () => void }): void {
  const navigate = useNavigate();
  useEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY;
    const run = (key: string, at: number): boolean => {
      const isSecond = at - startedAt < sequenceMs;
      const destination = isSecond ? destinations.find((each) => each.key === key) : undefined;
      startedAt = key === "g" && destination === undefined ? at : Number.NEGATIVE_INFINITY;
      // Also where the view is shown already.
      if (destination !== undefined) void navigate({ to: destination.to }).then(focusTitle);
      else if (key === "/") focusSearch();
      else if (key === "?") onHelp();
      else return false;
      return true;
    };
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
      if (isForPalette(event)) onPalette();
      else if (isTyped(event) || localStorage.getItem(singleKeysOff) !== null) return;
      else if (!run(event.key, event.timeStamp)) return;
      event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [navigate, onHelp, onPalette]);
}

/** In fields too: where a Mac has Ctrl-K for the rest of a line, the palette has the command key. */
const isForPalette = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;

/** Whether a key is part of a text, or a shortcut of the browser. */
const isTyped = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  (target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null);

function focusSearch(): void {
  const field = document.getElementById(searchFieldId);
  if (field instanceof HTMLInputElement) field.select();
}

const rows = [
  [paletteKeys, shortcutWords.palette],
  ["/", shortcutWords.search],
  ...destinations.map(({ key, name }) => [`g ${key}`, shortcutWords.goTo(name)] as const),
  ["?", shortcutWords.help],
  ["Esc", shortcutWords.close],
] as const;

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={shellWords.shortcuts} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2">
        {rows.map(([keys, words]) => (
          <div key={keys} className="contents">
            <dt>
              <Keys keys={keys} />
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      {/* The button comes first for the keyboard, so that Enter closes what was only looked at. */}
      <div className="flex flex-row-reverse flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
        <button type="button" className="button" onClick={onClose}>
          {shellWords.close}
        </button>
        <SingleKeys />
      </div>
    </Dialog>
  );
}

/** Keys to press one after the other, or together. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-1">
      {keys.split(" ").map((key, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice.
        <kbd key={index} className="key">
          {key}
        </kbd>
      ))}
    </span>
  );
}

/** The switch of the shortcuts that are single keys, for this browser. */
function SingleKeys() {
  const [isOn, setOn] = useState(() => localStorage.getItem(singleKeysOff) === null);
  const turn = (next: boolean) => {
    if (next) localStorage.removeItem(singleKeysOff);
    else localStorage.setItem(singleKeysOff, "off");
    setOn(next);
  };
  return (
    <label className="flex min-h-6 items-center gap-3">
      <input
        type="checkbox"
        className="size-5 shrink-0"
        checked={isOn}
        onChange={({ target }) => turn(target.checked)}
      />
      {shortcutWords.singleKeys}
    </label>
  );
}
