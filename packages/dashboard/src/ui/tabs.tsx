import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";

/** Panels of which one is shown; arrows move between their tabs. */
export function Tabs({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly { readonly name: string; readonly panel: ReactNode }[];
}) {
  const [chosen, choose] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const move = (event: KeyboardEvent) => {
    const next = nextTab(event.key, chosen, tabs.length);
    if (next === null) return;
    event.preventDefault();
    choose(next);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div className="grid min-w-0 gap-3">
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="flex flex-wrap gap-x-1 border-b border-line"
        onKeyDown={move}
      >
        {tabs.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === chosen ? 0 : -1}
            className="tab"
            onClick={() => choose(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${chosen}`} className="min-w-0">
        {tabs[chosen]?.panel}
      </div>
    </div>
  );
}

function nextTab(key: string, chosen: number, count: number): number | null {
  if (key === "ArrowRight") return (chosen + 1) % count;
  if (key === "ArrowLeft") return (chosen + count - 1) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}
