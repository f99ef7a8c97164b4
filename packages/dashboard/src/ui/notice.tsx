import type { ReactNode } from "react";

/** A message in a box: a failure is announced when it appears, other messages are not. */
export function Notice({
  kind = "plain",
  action,
  way,
  children,
}: {
  kind?: "plain" | "good" | "warn" | "danger";
  action?: { readonly label: string; readonly run: () => void };
  /** A link or a button that leads to what helps. */
  way?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={`notice ${kinds[kind]}`} role={kind === "danger" ? "alert" : undefined}>
      <div className="max-w-prose min-w-0">{children}</div>
      {way}
      {action === undefined ? null : (
        <button type="button" className="button button-small" onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  );
}

const kinds = { plain: "", good: "notice-good", warn: "notice-warn", danger: "notice-danger" };
