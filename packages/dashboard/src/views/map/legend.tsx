import { useState } from "react";
import type { LegendEntry } from "./map-file.ts";
import type { Colouring } from "./map-params.ts";
import type { Palette } from "./palette.ts";
import { mapWords } from "./words.ts";

/** Entries that are listed before the rest is asked for. */
const firstEntries = 10;

/** The meaning of the colours, with the number of pages of each. A click shows those pages alone. */
export function Legend({
  colouring,
  entries,
  palette,
  only,
  isCut,
  onOnly,
}: {
  colouring: Colouring;
  entries: readonly Pick<LegendEntry, "value" | "name" | "pages">[];
  palette: Palette;
  only: readonly number[];
  /** Whether there are more pages in the list than are shown. */
  isCut: boolean;
  onOnly: (values: readonly number[]) => void;
}) {
  // The names of regions are on the map already.
  const [isOpen, setOpen] = useState(
    () => only.length > 0 || (colouring !== "region" && window.matchMedia("(width >= 64rem)").matches),
  );
  const [isWhole, setWhole] = useState(false);
  const listed = isWhole ? entries : entries.slice(0, firstEntries);
  const toggle = (value: number) =>
    onOnly(only.includes(value) ? only.filter((each) => each !== value) : [...only, value]);
  return (
    <details
      data-covers
      className="map-card absolute bottom-3 left-3 max-h-[60%] w-56 max-w-[calc(100%-5rem)] overflow-auto open:pb-1.5 not-open:w-auto"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="min-h-8 content-center px-3 text-sm font-medium">
        {mapWords.legend}
        <span className="max-md:sr-only">: {mapWords.colours[colouring].toLowerCase()}</span>
      </summary>
      <ul>
        {listed.map(({ value, name, pages }) => (
          <li key={value}>
            <button
              type="button"
              aria-pressed={only.includes(value)}
              className={`grid w-full grid-cols-[auto_1fr_auto] items-center gap-2 px-3 py-0.5 text-left text-sm hover:bg-sunken ${
                only.length > 0 && !only.includes(value) ? "text-quiet" : ""
              } ${only.includes(value) ? "bg-thread-soft font-medium" : ""}`}
              onClick={() => toggle(value)}
            >
              <span
                aria-hidden="true"
                className="size-2.5 rounded-full"
                style={{ background: palette.css(value) }}
              />
              <bdi className="truncate leading-5" title={name}>
                {name}
              </bdi>
              <span className="text-xs text-quiet tabular-nums">{pages.toLocaleString("en")}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-x-4 px-3 text-sm empty:hidden">
        {entries.length > listed.length ? (
          <button type="button" className="link min-h-6" onClick={() => setWhole(true)}>
            {mapWords.moreEntries(entries.length - listed.length)}
          </button>
        ) : null}
        {only.length > 0 ? (
          <button type="button" className="link min-h-6" onClick={() => onOnly([])}>
            {mapWords.showAll}
          </button>
        ) : null}
        {isCut ? <span className="text-quiet">{mapWords.listCut}</span> : null}
      </p>
    </details>
  );
}
