import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createTurns } from "./turns.ts";

/** Syncs that write as fast as they are let; each write is noted. */
function stage() {
  const takeTurn = createTurns({ atOnce: 4 });
  const syncs = new Map<number, object>();
  const syncOf = (id: number) => {
    const sync = syncs.get(id) ?? { id };
    syncs.set(id, sync);
    return sync;
  };
  const written: number[] = [];
  let underWay = 0;
  let most = 0;
  /** A sync that writes `times` times, four at a time, as a sync does. */
  const write = async (id: number, times: number) => {
    let left = times;
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        await takeTurn(syncOf(id), async () => {
          underWay += 1;
          most = Math.max(most, underWay);
          await setImmediate();
          written.push(id);
          underWay -= 1;
        });
      }
    };
    await Promise.all(Array.from({ length: 4 }, worker));
  };
  return { takeTurn, written, write, most: () => most };
}

const count = (written: readonly number[], id: number) => written.filter((one) => one === id).length;

test("SYNC-9: a new sync ends soon beside any number of long ones", async () => {
  const { written, write } = stage();
  const long = Array.from({ length: 30 }, (_, index) => write(index + 1, 300));
  while (written.length < 7_000) await setImmediate();
  const before = written.length;
  await write(99, 60);
  const meanwhile = written.length - before;
  await Promise.all(long);
  // One turn in four is for the long ones, and a few were under way.
  assert.ok(meanwhile < 60 * 1.5 + 10, `${meanwhile} turns`);
});

test("SYNC-9: long syncs make progress while new ones keep arriving", async () => {
  const { written, write } = stage();
  const long = write(1, 1000);
  while (written.length < 300) await setImmediate();
  const before = count(written, 1);
  await Promise.all(Array.from({ length: 40 }, (_, index) => write(100 + index, 50)));
  assert.ok(count(written, 1) - before >= 2000 / 4);
  await long;
});

test("SYNC-9: long syncs get equal shares of turns, however many each asks for", async () => {
  const { written, write } = stage();
  const ids = [1, 2, 3, 4, 5];
  const all = ids.map((id) => write(id, id === 1 ? 2000 : 600));
  while (written.length < 2500) await setImmediate();
  const counts = ids.map((id) => count(written, id));
  assert.ok(Math.max(...counts) - Math.min(...counts) <= 8, String(counts));
  await Promise.all(all);
});

test("SYNC-9: few turns run at a time, and failed work releases its turn", async () => {
  const { takeTurn, write, most } = stage();
  for (let times = 0; times < 10; times += 1)
    await assert.rejects(
      takeTurn({}, async () => {
        throw new Error("no");
      }),
    );
  await Promise.all([write(1, 50), write(2, 50)]);
  assert.equal(most(), 4);
});
