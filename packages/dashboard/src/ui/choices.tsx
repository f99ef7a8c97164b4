import { type ReactNode, useId } from "react";
import { FieldError } from "./field.tsx";

/** Fields that belong together, with a way to fill them in above, and what is wrong with them below. */
export function Group({
  legend,
  aside,
  error,
  children,
}: {
  legend: string;
  aside?: ReactNode;
  error?: string | undefined;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <fieldset
      className="grid min-w-0 gap-2"
      aria-describedby={error === undefined ? undefined : id}
      data-invalid={error === undefined ? undefined : true}
    >
      <legend className="mb-2 font-medium">{legend}</legend>
      {aside === undefined ? null : <div>{aside}</div>}
      {children}
      <FieldError id={id} text={error} />
    </fieldset>
  );
}

/** Checkboxes, with the code of each option that has one. */
export function Choices({
  options,
  chosen,
  onChange,
}: {
  options: readonly (readonly [value: string, words: string, code: string | null])[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}) {
  return (
    <div className="card divide-y divide-line">
      {options.map(([value, words, code]) => (
        <label key={value} className="flex min-h-11 items-center gap-3 px-4 py-2">
          <input
            type="checkbox"
            className="size-5 shrink-0"
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
            }
          />
          <span className="flex flex-1 flex-wrap justify-between gap-x-4">
            <span>{words}</span>
            {code === null ? null : <code className="font-mono text-sm text-quiet">{code}</code>}
          </span>
        </label>
      ))}
    </div>
  );
}
