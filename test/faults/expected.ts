import type { SyncKind } from "../../packages/server/src/model/sync-report.ts";
import type { Disturbance } from "./disturbance.ts";
import { factsOf, type NodeView, textOf } from "./views.ts";

export type Views = ReadonlyMap<string, NodeView>;

const nothing: ReadonlySet<string> = new Set();

/**
 * What the provider may not show in its lists, or show as it was: what they omit, what was edited just now, what has
 * changed since they went stale, what an erring clock shows as unedited, and pages that such a one hung in or hangs in, since that alone does not edit them.
 */
export function hiddenNodes(
  { omitted, lag, isStale }: Disturbance,
  { before, past, now, time }: { before: Views; past: Views; now: Views; time: number },
): Set<string> {
  const hidden = new Set(omitted);
  for (const [id, view] of now) if (hasOldTime(before.get(id), view)) hidden.add(id);
  for (const [id, { node }] of now) if (node.updatedAt > time - lag && lag > 0) hidden.add(id);
  if (isStale) for (const id of changedNodes(past, now)) hidden.add(id);
  for (const id of [...hidden]) {
    for (const views of [before, past, now]) {
      const parent = views.get(id)?.node.parent;
      if (parent) hidden.add(parent);
    }
  }
  return hidden;
}

/** Whether a clock that was set gave an edit the time of the one before it. */
function hasOldTime(before: NodeView | undefined, { node, markdown }: NodeView): boolean {
  if (before?.node.contentState !== "ready" || before.node.updatedAt !== node.updatedAt) return false;
  return ownWords(before.markdown) !== ownWords(markdown);
}

/** A text without what it shows as its own, which comes and goes without an edit. */
const ownWords = (markdown: string | null) => markdown?.replaceAll(/\n<(page|database) .*/g, "");

function changedNodes(past: Views, now: Views): string[] {
  return [...new Set([...past.keys(), ...now.keys()])].filter((id) => {
    const [before, after] = [past.get(id), now.get(id)];
    if (before === undefined || after === undefined) return true;
    return (
      factsOf(before, nothing) !== factsOf(after, nothing) ||
      textOf(before, nothing) !== textOf(after, nothing)
    );
  });
}

interface Circumstances {
  readonly kind: SyncKind;
  /** What was stored before the sync. */
  readonly before: Views;
  /** What is shared now. */
  readonly now: Views;
  /** What lists do not show. */
  readonly hidden: ReadonlySet<string>;
  /** What the provider says it does not have. */
  readonly denied: ReadonlySet<string>;
  /** Pages whose text was not read. */
  readonly unread: ReadonlySet<string>;
}

/**
 * What a sync that missed nothing must have as it is now: what the provider lists, what is above that, and, where it does
 * not only look for changes, what is named there.
 */
export function expectedNodes(circumstances: Circumstances): Set<string> {
  const { before, now, hidden, denied, kind } = circumstances;
  const expected = new Set<string>();
  const open = [...now.keys()].filter((id) => !hidden.has(id));
  if (kind === "full") open.push(...before.keys());
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const view = now.get(id);
    if (view === undefined || denied.has(id) || expected.has(id)) continue;
    expected.add(id);
    if (view.node.parent !== null) open.push(view.node.parent);
    if (kind !== "incremental") open.push(...namedBy(view, circumstances));
  }
  return expected;
}

/**
 * What a node names: a link does not tell of what kind its target is, and so is none to ask for. A text that did not
 * change, or of which lists still show the old time, is not read again. A database lists its rows, which may be hidden.
 */
function namedBy(
  { node, propertyReferences, textReferences }: NodeView,
  circumstances: Circumstances,
): string[] {
  const { kind, before, now, hidden, unread } = circumstances;
  const named = targetsOf(propertyReferences);
  const isNews =
    before.get(node.id)?.node.updatedAt !== node.updatedAt && (kind === "first" || !hidden.has(node.id));
  if (node.type === "database" || unread.has(node.id) || !isNews) return named;
  const children = [...now.values()].filter((view) => view.node.parent === node.id);
  return [...named, ...targetsOf(textReferences), ...children.map((view) => view.node.id)];
}

function targetsOf(references: NodeView["textReferences"]): string[] {
  return references.filter(({ type }) => type !== "link").map(({ to }) => to);
}
