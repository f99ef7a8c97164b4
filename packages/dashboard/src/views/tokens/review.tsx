import type { Workspace } from "@clew/client";
import { useEffect, useRef, useState } from "react";
import { Notice } from "../../ui/notice.tsx";
import { dateOf } from "../../ui/time.tsx";
import { newTokenWords, workspaceWords } from "../../words.ts";
import { type Draft, daysOf } from "./draft.ts";
import { toolsOf } from "./limits.ts";

const dayMs = 86_400_000;

/** The token in one sentence, before it exists. */
export function Review({
  draft,
  workspaces,
  fault,
  onBack,
  onCreate,
}: {
  draft: Draft;
  workspaces: readonly Workspace[];
  fault: string | null;
  onBack: () => void;
  onCreate: () => Promise<void>;
}) {
  const [isBusy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const create = async () => {
    if (isBusy) return;
    setBusy(true);
    await onCreate();
    setBusy(false);
  };
  const days = daysOf(draft.expiry, Date.now());
  const until =
    days === null ? newTokenWords.untilRevoked : newTokenWords.untilDate(dateOf(Date.now() + days * dayMs));
  const names = workspaces
    .filter(({ id }) => draft.workspaceIds.includes(id))
    .map(({ name }) => name ?? workspaceWords.nameless);
  const can = newTokenWords.and(draft.scopes.map((scope) => newTokenWords.cans[scope]));
  return (
    <section className="grid gap-5">
      <h2 ref={heading} tabIndex={-1} className="font-serif text-xl font-semibold">
        {newTokenWords.reviewTitle}
      </h2>
      <div className="card grid gap-4 p-5">
        <p className="text-lg">
          {newTokenWords.sentence(draft.name.trim(), can, newTokenWords.and(names), until)}{" "}
          {newTokenWords.change}
        </p>
        <div className="grid gap-2">
          <h3 className="text-sm text-quiet">{newTokenWords.tools}</h3>
          <ToolList scopes={draft.scopes} />
        </div>
      </div>
      {days === null ? <Notice kind="warn">{newTokenWords.neverWarning}</Notice> : null}
      {fault === null ? null : <Notice kind="danger">{fault}</Notice>}
      <div className="flex flex-wrap gap-3">
        <button type="button" className="button button-primary" aria-disabled={isBusy} onClick={create}>
          {newTokenWords.create}
        </button>
        <button type="button" className="button" onClick={onBack}>
          {newTokenWords.back}
        </button>
      </div>
    </section>
  );
}

/** The tools that these scopes allow. */
export function ToolList({ scopes }: { scopes: Draft["scopes"] }) {
  return (
    <ul className="flex flex-wrap gap-2">
      {toolsOf(scopes).map((tool) => (
        <li key={tool} className="rounded-md bg-sunken px-2 py-0.5 font-mono text-sm">
          {tool}
        </li>
      ))}
    </ul>
  );
}
