import assert from "node:assert/strict";
import type { SyncReport } from "../../packages/server/src/model/sync-report.ts";
import { expectedNodes, type Views } from "./expected.ts";
import { factsOf, type NodeView, textOf, titlesIn } from "./views.ts";

/**
 * Checks the invariants of every sync, with any faults:
 *
 * 1. Nothing is lost. A node that was stored and is still shared is still stored, unless the provider denied its id.
 *    Its facts that were correct and have not changed are still correct.
 * 2. Nothing is made up. A stored node is shared now, was stored before, or is still listed. A text is the whole current
 *    one, the previous one or that of a stale list, unless the report names its page as failed.
 * 3. No report claims more than the graph has. After `complete`, everything that the provider showed is stored as by an
 *    undisturbed first sync (facts, texts and references), and removed nodes are gone. Nodes that lists omitted or showed
 *    late, and that nothing else refers to, may be missing or in their previous state.
 * 4. An `incomplete` report names what is missing: the texts of failed pages, or unanswered lookups. If all lookups were
 *    answered, 3 holds for everything except those texts and what only they refer to.
 * 5. A `failed` report states the reason, and so does the connection.
 * 6. After a sync that did not fail, the titles that texts show of other nodes are those of the graph (SYNC-12).
 */
export function assertInvariant(outcome: SyncOutcome): void {
  const { report } = outcome;
  const failed = new Set(report.failed.map(({ id }): string => id));
  assert.equal(report.failedTotal, failed.size, "the report counts the failed pages that it names");
  assertNothingLost(outcome);
  assertNothingSpoiled(outcome);
  assertNothingMadeUp(outcome, failed);
  if (report.outcome === "failed") {
    assert(report.error, "a failed sync says why");
    return;
  }
  assert.equal(report.error, null);
  assertTitlesAreShown(outcome);
  const isComplete = failed.size === 0 && report.unanswered.length === 0;
  assert.equal(report.outcome, isComplete ? "complete" : "incomplete");
  if (report.unanswered.length === 0) assertNothingMissed(outcome, failed);
}

function assertNothingLost({ before, stored, now, denied }: SyncOutcome): void {
  for (const id of before.keys())
    assert(stored.has(id) || !now.has(id) || denied.has(id), `${id} is still shared, and is lost`);
}

/** Unchanged facts are still stored: parents, titles, references. */
function assertNothingSpoiled({ before, past, stored, now, hidden, denied }: SyncOutcome): void {
  for (const [id, view] of stored) {
    const others = [before, past, now].map((views) => views.get(id));
    if (hidden.has(id) || others.includes(undefined)) continue;
    for (const [what, fact] of factsAlone(view, denied)) {
      const [first, ...rest] = others.map((other) => other && new Map(factsAlone(other, denied)).get(what));
      if (rest.every((other) => other === first))
        assert.equal(fact, first, `${what} of ${id} was correct and no longer is`);
    }
    const held = new Set(onlyReferences(view));
    const [first, ...rest] = others.map((other) => new Set(other && onlyReferences(other)));
    const steady = [...(first ?? [])].filter((reference) => rest.every((other) => other.has(reference)));
    for (const reference of steady) assert(held.has(reference), `${reference} of ${id} is lost`);
  }
}

/** The independent facts of a node. The parent of a node in a denied container cannot be known. */
function factsAlone({ node }: NodeView, denied: ReadonlySet<string>): [string, unknown][] {
  const { title, url, type, parent, containerId, properties } = node;
  const isPlaced = containerId === null || !denied.has(containerId);
  const values: Record<string, unknown> = JSON.parse(properties);
  return [
    ["title", title],
    ["url", url],
    ["type", type],
    ...(isPlaced ? ([["parent", parent]] as [string, unknown][]) : []),
    ...Object.entries(values).map(([name, value]): [string, unknown] => [
      `property ${name}`,
      JSON.stringify(value),
    ]),
  ];
}

/** The references of a node's properties and the hyperlinks of its text. Mentions also follow from other nodes' parents. */
function onlyReferences({ propertyReferences, textReferences }: NodeView): string[] {
  return [...propertyReferences, ...textReferences.filter(({ type }) => type === "link")].map(
    ({ type, to, name, source }) => `${source} ${type} ${to} ${name}`,
  );
}

function assertNothingMadeUp(
  { before, past, stored, now, hidden }: SyncOutcome,
  failed: ReadonlySet<string>,
): void {
  for (const [id, { words, node }] of stored) {
    const shared = now.get(id);
    assert(shared || before.has(id) || past.has(id), `${id} is stored and was never shared`);
    // The text of a database is in the lists, which may show it as it was when they went stale.
    const listed = hidden.has(id) ? past.get(id) : undefined;
    const isWhole = [before.get(id)?.words ?? null, listed?.words, shared?.words].includes(words);
    // For a while the provider also returns the texts of removed pages.
    assert(isWhole || failed.has(id) || !shared, `the text of ${id} is neither new nor old`);
    assert.equal(node.contentState === "failed", failed.has(id), `the report agrees with the state of ${id}`);
  }
}

function assertTitlesAreShown({ stored }: SyncOutcome): void {
  for (const [id, view] of stored)
    for (const [target, title] of titlesIn(view)) {
      const known = stored.get(target)?.node.title;
      if (known !== undefined) assert.equal(title, known || "Untitled", `${id} shows the title of ${target}`);
    }
}

function assertNothingMissed(outcome: SyncOutcome, failed: ReadonlySet<string>): void {
  const { report, stored, now, hidden, denied, mayLinger, hasNewTypes } = outcome;
  const gone = [...stored.values()].filter(({ node }) => !now.has(node.id) && !hidden.has(node.id));
  assert(gone.length === 0 || mayLinger, `${gone[0]?.node.id} is gone, and is still stored`);
  // The text of a parent may still list a child that is gone.
  const outdated = new Set([...failed, ...gone.map(({ node }) => node.parent)]);
  for (const id of expectedNodes({ ...outcome, kind: report.kind, unread: failed })) {
    const [is, shouldBe] = [stored.get(id), now.get(id)];
    assert(is && shouldBe, `${id} was shown, and is missing`);
    if (hidden.has(id)) continue;
    if (hasNewTypes) continue;
    assert.equal(factsOf(is, denied), factsOf(shouldBe, denied), `${id} is as it was shown`);
    if (!outdated.has(id)) assert.equal(textOf(is, denied), textOf(shouldBe, denied), `${id} has its text`);
  }
}

/** The result of a sync. */
interface SyncOutcome {
  readonly report: SyncReport;
  /** The graph stored before it, the graph stored now, and the graph that an undisturbed first sync stores. */
  readonly before: Views;
  readonly stored: Views;
  readonly now: Views;
  /** The graph that was shared when the lists went stale. */
  readonly past: Views;
  /** The pages that lists may have omitted or shown in an old state. */
  readonly hidden: ReadonlySet<string>;
  /** The ids that the provider denied. */
  readonly denied: ReadonlySet<string>;
  /** Whether parents or properties are of unknown types; of these, the known facts stay. */
  readonly hasNewTypes: boolean;
  /** Whether some nodes are only looked up by a full sync, because search did not list them when they were found. */
  readonly mayLinger: boolean;
}

/** Throws unless both graphs are equal in every detail. */
export function assertSame(stored: Views, now: Views): void {
  for (const id of now.keys()) assert(stored.has(id), `${id} is missing in the end`);
  for (const [id, view] of stored) assert.deepEqual(view, now.get(id), `${id} is in the end as it should be`);
}
