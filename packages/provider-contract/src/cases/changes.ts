import assert from "node:assert/strict";
import { ProviderError } from "@clew/provider";
import { plainText } from "@clew/text";
import type { Case } from "../provider-under-test.ts";
import { nodesOf, nodeTitled, readerOf, whyNever } from "../read.ts";

/** An id that no page has. */
const nobodysId = "00000000-0000-4000-8000-0000000000ff";

const isNotFound = (error: unknown) => error instanceof ProviderError && error.code === "not_found";

/** Edits and removals, as later syncs see them. */
export const changeCases: readonly Case[] = [
  {
    name: "SYNC-3: an edit gives a page a later time, and the search lists it first",
    async run(under) {
      const reader = readerOf(under);
      const before = await nodeTitled(reader, "Journal");
      await under.rewrite("Journal", ["Something has changed."]);
      const [first] = await nodesOf(reader.search());
      assert.equal(first?.id, before.id, "a page keeps its id, and the latest edit is first");
      assert.ok(first.updatedAt > before.updatedAt, "the time has not grown");
      const { markdown } = await reader.content(before.id);
      assert.equal(plainText(markdown).text, "Something has changed.");
    },
  },
  {
    name: "SYNC-3: the provider's clock is not before the latest edit",
    async run(under) {
      const reader = readerOf(under);
      await under.rewrite("Journal", ["Something has changed."]);
      const { updatedAt } = await nodeTitled(reader, "Journal");
      assert.ok(reader.time() >= updatedAt, "an edit that follows would be missed");
    },
  },
  {
    name: "SYNC-7: a removed page is listed no more, and a look-up says that it is gone",
    async run(under) {
      const reader = readerOf(under);
      const { id } = await nodeTitled(reader, "Journal");
      await under.remove("Journal");
      const left = (await nodesOf(reader.search())).filter(({ inTrash }) => !inTrash);
      assert.ok(!left.some((node) => node.id === id), "it is still listed");
      const answer = await reader.page(id).catch((error: unknown) => error);
      assert.ok(isNotFound(answer) || Reflect.get(Object(answer), "inTrash") === true, String(answer));
      await assert.rejects(reader.page(nobodysId), isNotFound);
    },
  },
  {
    name: "SYNC-7: a page that cannot be asked for is not called gone",
    async run(under) {
      const reader = readerOf(under);
      const { id } = await nodeTitled(reader, "Journal");
      for (const behavior of ["down", "busy", "garbled", "withdrawn"] as const) {
        if (whyNever(under, behavior) !== null) continue;
        await under.behave(behavior);
        for (const ask of [() => reader.page(id), () => reader.content(id)]) {
          const answer = await ask().catch((error: unknown) => error);
          assert.ok(answer instanceof ProviderError, `${behavior}: ${JSON.stringify(answer)}`);
          assert.notEqual(answer.code, "not_found", behavior);
        }
      }
    },
  },
];
