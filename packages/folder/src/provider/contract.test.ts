import assert from "node:assert/strict";
import { test } from "node:test";
import { describeProvider, sample } from "@clew/provider-contract";
import { openFolder } from "../testing/under-test.ts";

describeProvider("a folder", openFolder);

test("SRC-2: the grant of one folder opens no other", async (t) => {
  const { provider, close } = await openFolder(sample);
  t.after(close);
  const reader = provider.reader("folder another");
  await assert.rejects(reader.search()[Symbol.asyncIterator]().next(), { code: "unauthorized" });
});
