import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from "react";

interface FieldParts {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

/** An input with its label, a hint, and what is wrong with it. */
export function Field({ label, hint, error, ...input }: FieldParts & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <input {...described(id, hint, error)} className="input" {...input} />
    </Labelled>
  );
}

/** A list of choices with its label. */
export function SelectField({
  label,
  hint,
  error,
  ...select
}: FieldParts & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <select {...described(id, hint, error)} className="input" {...select} />
    </Labelled>
  );
}

function described(id: string, hint: ReactNode, error: string | undefined) {
  const ids = [hint === undefined ? null : `${id}-hint`, error === undefined ? null : `${id}-error`];
  return {
    id,
    "aria-invalid": error !== undefined,
    "aria-describedby": ids.filter((each) => each !== null).join(" ") || undefined,
  };
}

function Labelled({ id, label, hint, error, children }: FieldParts & { id: string; children: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="text-sm text-quiet">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}

/** The error of a field or a group of fields. */
export function FieldError({ id, text }: { id: string; text: string | undefined }) {
  return text === undefined ? null : (
    <p id={id} className="text-sm font-medium text-danger">
      {text}
    </p>
  );
}
