import type { ReactNode } from "react";

/** A box that scrolls by itself: the keyboard reaches it, and screen readers know what it is. */
export function ScrollBox({
  label,
  id,
  className = "",
  children,
}: {
  label: string;
  id?: string | undefined;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section
      id={id}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
      tabIndex={0}
      className={`card relative overflow-auto ${className}`}
    >
      {children}
    </section>
  );
}
