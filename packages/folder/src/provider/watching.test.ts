import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as settled } from "node:timers/promises";
import { FolderWatching } from "./watching.ts";

test("SRC-2: a folder that stays away is one failure, and another reason is another", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const failures: string[] = [];
  let reason = "it is empty";
  const watching = new FolderWatching(() => Promise.reject(new Error(reason)), {
    onChange: () => {},
    onState: () => {},
    onFailure: (error) => failures.push(String(error)),
  });
  const tryAgain = async () => {
    await settled();
    t.mock.timers.tick(5_000);
    await settled();
  };
  for (let times = 0; times < 3; times += 1) await tryAgain();
  reason = "ENOENT";
  await tryAgain();
  assert.deepEqual(failures, ["Error: it is empty", "Error: ENOENT"]);
  await watching.stop();
});
