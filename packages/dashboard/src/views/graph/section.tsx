import { type ReactNode, useId } from "react";

/** A part of a view with its own heading. */
export function Section({
  title,
  note,
  actions,
  children,
}: {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid min-w-0 content-start gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
        <h2 id={id} className="font-serif text-xl font-semibold">
          {title}
          {note === undefined ? null : (
            <span className="ml-2 font-sans text-base font-normal text-quiet">{note}</span>
          )}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
