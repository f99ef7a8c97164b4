import { type ReactNode, type ToggleEvent, useId, useRef } from "react";

/** A button that opens a small panel of links and buttons below or above it. The browser closes it. */
export function Menu({
  label,
  button,
  look = "menu-button",
  children,
}: {
  label: string;
  button: ReactNode;
  /** Its class. */
  look?: string;
  children: ReactNode;
}) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const place = ({ newState }: ToggleEvent) => {
    const { current: from } = opener;
    const { current: shown } = panel;
    if (newState !== "open" || from === null || shown === null) return;
    const { left, top, bottom } = from.getBoundingClientRect();
    const below = bottom + gap + shown.offsetHeight <= innerHeight;
    shown.style.top = `${below ? bottom + gap : Math.max(gap, top - gap - shown.offsetHeight)}px`;
    shown.style.left = `${Math.max(gap, Math.min(left, innerWidth - shown.offsetWidth - gap))}px`;
  };
  return (
    <>
      <button ref={opener} type="button" className={look} aria-label={label} popoverTarget={id}>
        {button}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only listens to the browser, and closes what was chosen from. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard clicks the buttons in it. */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        onToggle={place}
        onClick={() => panel.current?.hidePopover()}
        className="card fixed inset-auto m-0 min-w-52 p-2 text-ink shadow-xl"
      >
        {children}
      </div>
    </>
  );
}

/** Pixels between the button and its panel, and to the edge of the window. */
const gap = 6;
