import assert from "node:assert/strict";
import type { SyncReport } from "../../packages/server/src/model/sync-report.ts";
import { expectedNodes, type Views } from "./expected.ts";
import { factsOf, type NodeView, textOf } from "./views.ts";

/**
 * What holds after every sync, whatever went wrong while it ran:
 *
 * 1. Nothing is lost. A node that was stored before and is still shared is still stored, unless the provider itself
 *    said, asked for it by its id, that it has no such page. What was right of it before and is so still is right.
 * 2. Nothing is made up. A node is one that is shared now, was stored before, or is still listed; a text is the whole
 *    one of now or that of before, unless the report names its page as failed.
 * 3. No report is better than the graph. Where it says `complete`, all that the provider showed is stored as an
 *    undisturbed first sync stores it, facts, texts and references, and what is gone is gone. What the provider hid at that
 *    moment, in lists that omit, lag or are stale, and that nothing else named, may be missing or as it was before.
 * 4. Where it says `incomplete`, it names what it lacks: the texts of failed pages, or questions that were not answered.
 *    Where all were answered, everything but those texts, and what only they lead to, is as under 3.
 * 5. Where it says `failed`, it says why, and so does the connection.
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
  const isComplete = failed.size === 0 && report.unanswered.length === 0;
  assert.equal(report.outcome, isComplete ? "complete" : "incomplete");
  if (report.unanswered.length === 0) assertNothingMissed(outcome, failed);
}

function assertNothingLost({ before, stored, now, denied }: SyncOutcome): void {
  for (const id of before.keys())
    assert(stored.has(id) || !now.has(id) || denied.has(id), `${id} is still shared, and is lost`);
}

/** What was stored and has not changed is still stored: parents, titles, references. */
function assertNothingSpoiled({ before, past, stored, now, hidden, denied }: SyncOutcome): void {
  for (const [id, view] of stored) {
    const others = [before, past, now].map((views) => views.get(id));
    if (hidden.has(id) || others.includes(undefined)) continue;
    for (const [what, fact] of factsAlone(view, denied)) {
      const [first, ...rest] = others.map((other) => other && new Map(factsAlone(other, denied)).get(what));
      if (rest.every((other) => other === first))
        assert.equal(fact, first, `${what} of ${id} was right, and is not`);
    }
    const held = new Set(onlyReferences(view));
    const [first, ...rest] = others.map((other) => new Set(other && onlyReferences(other)));
    const steady = [...(first ?? [])].filter((reference) => rest.every((other) => other.has(reference)));
    for (const reference of steady) assert(held.has(reference), `${reference} of ${id} is lost`);
  }
}

/** Facts of a node that say nothing of each other. A place below what is denied cannot be known. */
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

/** The references of a node's properties, and the hyperlinks of its text: mentions also follow from the parents of others. */
function onlyReferences({ propertyReferences, textReferences }: NodeView): string[] {
  return [...propertyReferences, ...textReferences.filter(({ type }) => type === "link")].map(
    ({ type, to, name, source }) => `${source} ${type} ${to} ${name}`,
  );
}

function assertNothingMadeUp({ before, past, stored, now }: SyncOutcome, failed: ReadonlySet<string>): void {
  for (const [id, { markdown, node }] of stored) {
    const shared = now.get(id);
    assert(shared || before.has(id) || past.has(id), `${id} is stored and was never shared`);
    const isWhole = [before.get(id)?.markdown ?? null, shared?.markdown].includes(markdown);
    // The provider gives the texts of what is gone as well, for a while.
    assert(isWhole || failed.has(id) || !shared, `the text of ${id} is neither new nor old`);
    assert.equal(node.contentState === "failed", failed.has(id), `the report tells of ${id} as it is`);
  }
}

function assertNothingMissed(outcome: SyncOutcome, failed: ReadonlySet<string>): void {
  const { report, stored, now, hidden, denied, mayLinger, hasNewTypes } = outcome;
  const gone = [...stored.values()].filter(({ node }) => !now.has(node.id) && !hidden.has(node.id));
  assert(gone.length === 0 || mayLinger, `${gone[0]?.node.id} is gone, and is still stored`);
  // Nor does a page show yet that something has left it.
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

/** What a sync came to. */
interface SyncOutcome {
  readonly report: SyncReport;
  /** What was stored before it, what is stored now, and what an undisturbed first sync stores. */
  readonly before: Views;
  readonly stored: Views;
  readonly now: Views;
  /** What was shared when the lists went stale. */
  readonly past: Views;
  /** What lists may not have shown as it is. */
  readonly hidden: ReadonlySet<string>;
  /** What the provider said it does not have. */
  readonly denied: ReadonlySet<string>;
  /** Whether parents or properties are of types that are new: of these, what is known stays. */
  readonly hasNewTypes: boolean;
  /** Whether there are nodes that only a full sync looks for, since search did not list them when they were found. */
  readonly mayLinger: boolean;
}

/** Throws unless both graphs are the same to the last detail. */
export function assertSame(stored: Views, now: Views): void {
  for (const id of now.keys()) assert(stored.has(id), `${id} is missing in the end`);
  for (const [id, view] of stored) assert.deepEqual(view, now.get(id), `${id} is in the end as it should be`);
}
