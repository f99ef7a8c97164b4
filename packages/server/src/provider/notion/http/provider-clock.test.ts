import assert from "node:assert/strict";
import { test } from "node:test";
import { pageObject, someId } from "../testing/api-objects.ts";
import { timelessProvider } from "../testing/provider.ts";
import { sendError, sendJson, startProvider } from "../testing/provider-server.ts";

const never = new AbortController().signal;

test("SYNC-7: the time is the provider's, as its latest answer told it, whatever the answer", async (t) => {
  const dates = ["Sun, 01 Jun 2031 00:00:07 GMT", "Sun, 01 Jun 2031 00:01:00 GMT", "no date", undefined];
  const { url } = await startProvider(t, (_, response) => {
    const date = dates.shift();
    if (date === undefined) response.sendDate = false;
    else response.setHeader("date", date);
    if (date?.includes("01:00")) sendError(response, 503, "service_unavailable", { "retry-after": "2" });
    else sendJson(response, pageObject(1));
  });
  const { provider, clock } = timelessProvider(url);
  const reader = provider.reader("t");
  assert.equal(reader.time(), clock());
  await reader.page(someId(1), never);
  assert.equal(reader.time(), Date.UTC(2031, 5, 1, 0, 0, 7));
  // Answered by 503 and, two seconds later, without a time.
  await reader.page(someId(1), never);
  assert.equal(reader.time(), Date.UTC(2031, 5, 1, 0, 1, 2));
  await reader.page(someId(1), never);
  assert.equal(reader.time(), Date.UTC(2031, 5, 1, 0, 1, 2));
});
