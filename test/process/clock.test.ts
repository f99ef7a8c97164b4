import assert from "node:assert/strict";
import { test } from "node:test";
import { startRunning } from "../support/running-clew.ts";

const days = 86_400_000;

test("LIM-1: a clock that jumps eight days ahead and back locks people out for at most a minute", async (t) => {
  let jumped = 0;
  const clew = await startRunning({
    env: { RATE_LIMIT_SIGN_IN: "2" },
    clock: () => Date.now() + jumped,
  });
  t.after(() => clew.stop());
  const begin = () => fetch(new URL("api/integrations/auth/provider/", clew.url), { redirect: "manual" });
  jumped = 8 * days;
  for (let turn = 0; turn < 2; turn += 1)
    assert.doesNotMatch((await begin()).headers.get("location") ?? "#error", /#error/);
  jumped = 0;
  const refused = await begin();
  assert.match(refused.headers.get("location") ?? "", /#error=rate_limited/);
  const secondsLeft = /;t=(\d+)/.exec(refused.headers.get("ratelimit") ?? "")?.[1];
  assert.ok(Number(secondsLeft) <= 60, `${secondsLeft}`);
});
