import assert from "node:assert/strict";
import { test } from "node:test";
import { withEarlyAnswers } from "./early-answers.ts";

const me = new URL("http://clew.example/api/auth/me/");

test("an answer that was asked for early is handed out once, and everything else is sent", async () => {
  const sent: string[] = [];
  const send: typeof fetch = async (input, init) => {
    sent.push(`${init?.method ?? "GET"} ${input}`);
    return new Response(String(sent.length));
  };
  const early = withEarlyAnswers(send, [me]);
  assert.deepEqual(sent, [`GET ${me}`]);
  const texts = [
    await (await early("http://clew.example/api/tokens/")).text(),
    await (await early(me)).text(),
    await (await early(me)).text(),
  ];
  assert.deepEqual(texts, ["2", "1", "3"]);
});

test("an early answer is not used after something was sent to the same address, and fails where it is taken", async () => {
  let count = 0;
  const send: typeof fetch = async (_input, init) => {
    count += 1;
    if (count === 1) throw new TypeError("away");
    return new Response(init?.method ?? "GET");
  };
  const early = withEarlyAnswers(send, [me]);
  await assert.rejects(early(me), /away/);
  assert.equal(await (await early(me)).text(), "GET");
  const other = withEarlyAnswers(send, [me]);
  assert.equal(await (await other(me, { method: "DELETE" })).text(), "DELETE");
  assert.equal(await (await other(me)).text(), "GET");
  assert.equal(count, 5);
});
