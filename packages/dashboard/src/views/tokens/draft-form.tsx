import type { Workspace } from "@clew/client";
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Field, FieldError } from "../../ui/field.tsx";
import { newTokenWords, scopeWords, workspaceWords } from "../../words.ts";
import { type Draft, type DraftFault, faultsOf, type Purpose, suggestedScopes } from "./draft.ts";
import { ExpiryFields } from "./expiry-fields.tsx";
import { maxNameLength, scopeNames } from "./limits.ts";

/** The form of a new token: its purpose, scopes, workspaces and expiry. */
export function DraftForm({
  draft,
  workspaces,
  onChange,
  onDone,
}: {
  draft: Draft;
  workspaces: readonly Workspace[];
  onChange: (draft: Draft) => void;
  onDone: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [isTried, setTried] = useState(false);
  const faults = isTried ? faultsOf(draft, Date.now()) : [];
  const errorOf = (fault: DraftFault) => (faults.includes(fault) ? newTokenWords.faults[fault] : undefined);
  const change = (part: Partial<Draft>) => onChange({ ...draft, ...part });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (faultsOf(draft, Date.now()).length === 0) onDone();
    else setFaultCount((count) => count + 1);
  };
  // After the errors are on the page, the first of them gets the focus.
  const [faultCount, setFaultCount] = useState(0);
  useEffect(() => {
    if (faultCount > 0)
      form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-invalid] input")?.focus();
  }, [faultCount]);

  return (
    <form ref={form} className="grid gap-8" onSubmit={submit} noValidate>
      <Field
        label={newTokenWords.name}
        hint={newTokenWords.nameHint}
        error={errorOf("name")}
        name="name"
        maxLength={maxNameLength}
        autoComplete="off"
        value={draft.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <Group legend={newTokenWords.purpose}>
        <div className="grid gap-3 sm:grid-cols-3">
          {Object.entries(newTokenWords.purposes).map(([purpose, [name, what]]) => (
            <label key={purpose} className="choice-card">
              <input
                type="radio"
                name="purpose"
                value={purpose}
                checked={draft.purpose === purpose}
                onChange={() => change({ purpose: purpose as Purpose })}
              />
              <span className="grid">
                <span className="font-medium">{name}</span>
                <span className="text-sm text-quiet">{what}</span>
              </span>
            </label>
          ))}
        </div>
      </Group>
      <Group legend={newTokenWords.canRead} error={errorOf("workspaces")}>
        <Choices
          options={workspaces.map(({ id, name }) => [id, name ?? workspaceWords.nameless, null] as const)}
          chosen={draft.workspaceIds}
          onChange={(workspaceIds) => change({ workspaceIds })}
        />
      </Group>
      <Group
        legend={newTokenWords.canDo}
        error={errorOf("scopes")}
        aside={
          <button
            type="button"
            className="link min-h-6"
            onClick={() => change({ scopes: suggestedScopes[draft.purpose] })}
          >
            {newTokenWords.suggest[draft.purpose]}
          </button>
        }
      >
        <Choices
          options={scopeNames.map((scope) => [scope, scopeWords[scope], scope] as const)}
          chosen={draft.scopes}
          onChange={(scopes) => change({ scopes: scopeNames.filter((scope) => scopes.includes(scope)) })}
        />
      </Group>
      <ExpiryFields expiry={draft.expiry} error={errorOf("days")} onChange={(expiry) => change({ expiry })} />
      <button type="submit" className="button button-primary justify-self-start">
        {newTokenWords.review}
      </button>
    </form>
  );
}

function Group({
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
      {children}
      <FieldError id={id} text={error} />
      {aside === undefined ? null : <div>{aside}</div>}
    </fieldset>
  );
}

/** Checkboxes, with the code of each option that has one. */
function Choices({
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
