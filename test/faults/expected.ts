import type { SyncKind } from "../../packages/server/src/model/sync-report.ts";
import type { Disturbance } from "./disturbance.ts";
import { factsOf, type NodeView, textOf } from "./views.ts";

export type Views = ReadonlyMap<string, NodeView>;

const nothing: ReadonlySet<string> = new Set();

/**
 * The nodes that the provider's lists may omit or show in an old state: omitted ones, recently edited ones, ones that
 * changed since the lists went stale, ones whose edit a wrong clock conceals, and the former and present parents of all
 * these, because a move does not edit the parent.
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

/** Whether an edit has the same time as the one before it, because the clock was changed. */
function hasOldTime(before: NodeView | undefined, { node, markdown }: NodeView): boolean {
  if (before?.node.contentState !== "ready" || before.node.updatedAt !== node.updatedAt) return false;
  return ownWords(before.markdown) !== ownWords(markdown);
}

/** A text without its child pages and databases, which change without an edit. */
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
  /** The graph stored before the sync. */
  readonly before: Views;
  /** The graph that is shared now. */
  readonly now: Views;
  /** The pages that lists may not show. */
  readonly hidden: ReadonlySet<string>;
  /** The ids that the provider denies. */
  readonly denied: ReadonlySet<string>;
  /** Pages whose text was not read. */
  readonly unread: ReadonlySet<string>;
}

/**
 * The nodes that a sync must have in their current state: those that the provider lists, their ancestors, and, unless
 * the sync is incremental, those that they refer to.
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
 * The nodes that a sync looks up because this one refers to them. Links do not count, because they do not say whether
 * their target is a page or a database. A text is not read again if it has not changed or if lists still show its old
 * time. A database lists its rows, which may be hidden.
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
