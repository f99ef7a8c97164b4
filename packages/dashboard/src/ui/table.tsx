import type { ReactNode } from "react";

/** A table with a caption for screen readers. In a narrow window it scrolls sideways by itself. */
export function Table({
  caption,
  head,
  children,
}: {
  caption: string;
  head: readonly string[];
  /** Rows; a cell of them is a `td` or, for the name of the row, a `th`. */
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, so the keyboard must reach it.
    <div tabIndex={0} className="card overflow-x-auto">
      <table className="table">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
