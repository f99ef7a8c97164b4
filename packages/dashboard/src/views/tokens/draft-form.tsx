import type { Workspace } from "@clew/client";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Choices, Group } from "../../ui/choices.tsx";
import { Field } from "../../ui/field.tsx";
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
            className="button button-small"
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
