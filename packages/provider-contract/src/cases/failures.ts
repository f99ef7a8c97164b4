import assert from "node:assert/strict";
import { ProviderError, type ProviderErrorCode, type WorkspaceReader } from "@clew/provider";
import type { Behavior, Case, ProviderUnderTest } from "../provider-under-test.ts";
import { entriesOf, nodeTitled, readerOf, whyNever } from "../read.ts";

/** The calls of a reader that ask for one thing, once an id is known. */
const callsOf = (reader: WorkspaceReader, id: string): readonly (() => Promise<unknown>)[] => [
  () => entriesOf(reader.search()),
  () => reader.page(id),
  () => reader.content(id),
];

/** The errors of all calls while the provider behaves like this. */
async function errorsWhile(under: ProviderUnderTest, behavior: Behavior): Promise<ProviderError[]> {
  const reader = readerOf(under);
  const { id } = await nodeTitled(reader, "Journal");
  await under.behave(behavior);
  const errors: ProviderError[] = [];
  for (const call of callsOf(reader, id)) {
    const answer = await call().catch((error: unknown) => error);
    assert.ok(answer instanceof ProviderError, `${behavior}: ${JSON.stringify(answer)}`);
    errors.push(answer);
  }
  return errors;
}

const fails = (behavior: Behavior, code: ProviderErrorCode, name: string): Case => ({
  name,
  needs: behavior,
  async run(under) {
    for (const error of await errorsWhile(under, behavior)) assert.equal(error.code, code, error.message);
  },
});

/** Failures, each of which keeps its meaning. */
export const failureCases: readonly Case[] = [
  fails("garbled", "malformed", "SYNC-5: an answer that makes no sense is an error, and never a page"),
  fails("down", "unavailable", "SYNC-5: a provider that is down is an error that may pass"),
  fails("withdrawn", "unauthorized", "SYNC-8: a grant that was withdrawn is an error of its own"),
  {
    name: "SYNC-4: a rate limit is waited for as long as the provider asks, and announced",
    needs: "busy once",
    async run(under) {
      const waits: number[] = [];
      const reader = under.provider.reader(under.accessToken, { onWait: (until) => void waits.push(until) });
      const { id } = await nodeTitled(reader, "Journal");
      await under.behave("busy once");
      assert.equal((await reader.page(id)).id, id);
      assert.equal(waits.length, 1, "the wait was not announced once");
    },
  },
  {
    name: "SYNC-4: a rate limit that does not end is an error, with the time that the provider asks for",
    needs: "busy",
    async run(under) {
      for (const error of await errorsWhile(under, "busy")) {
        assert.equal(error.code, "rate_limited", error.message);
        assert.equal(error.retryAfter, 1000);
      }
    },
  },
  {
    name: "SYNC-6: after the signal is aborted every call throws its reason",
    async run(under) {
      const { id } = await nodeTitled(readerOf(under), "Journal");
      const reason = new Error("Clew stops");
      const ended = new AbortController();
      const reader = under.provider.reader(under.accessToken, { signal: ended.signal });
      ended.abort(reason);
      for (const call of callsOf(reader, id)) await assert.rejects(call(), reason);
    },
  },
  {
    name: "SYNC-5: no error shows the token",
    async run(under) {
      for (const behavior of ["garbled", "down", "busy", "withdrawn"] as const) {
        if (whyNever(under, behavior) !== null) continue;
        await under.behave("well");
        for (const { message, stack = "" } of await errorsWhile(under, behavior)) {
          assert.ok(
            !`${message}${stack}`.includes(under.accessToken),
            `${behavior}: the token is in the error`,
          );
        }
      }
    },
  },
];
