import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Machine } from "./machine.ts";
import { Scheduler } from "./scheduler.ts";

const loop = { settled: () => nextTurn() };

/** Resolves after some virtual milliseconds of a machine. */
const sleep = (machine: Machine, milliseconds: number) =>
  new Promise<void>((resolve) => machine.scheduler.schedule(machine, milliseconds, resolve));

/** Runs three machines that do several things at the same times, and returns who did what in which order. */
async function orderOf(seed: number): Promise<string> {
  const scheduler = new Scheduler(seed, loop);
  const machines = ["a", "b", "c"].map((name) => new Machine(name, scheduler));
  const done: string[] = [];
  const work = async (machine: Machine) => {
    for (const turn of [1, 2, 3, 4]) {
      await sleep(machine, turn % 2);
      done.push(`${machine.name}${turn}`);
      scheduler.note(`${machine.name}${turn}`);
    }
  };
  await scheduler.run(async () => void (await Promise.all(machines.map(work))));
  return `${done.join(" ")} ${scheduler.digest()}`;
}

test("a seed decides the order of what several machines do, and repeats it", async () => {
  const orders = await Promise.all([1, 2, 3, 4, 5, 6].map(orderOf));
  assert.ok(new Set(orders).size > 1, "every seed has the same order");
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5, 6].map(orderOf)), orders);
});

test("the tasks of one machine run in their order, and time passes only while none is ready", async () => {
  const scheduler = new Scheduler(1, loop);
  const machine = new Machine("a", scheduler);
  const done: string[] = [];
  await scheduler.run(async () => {
    scheduler.schedule(machine, 60_000, () => done.push("a minute"));
    for (const name of ["first", "second", "third"]) scheduler.schedule(machine, 0, () => done.push(name));
    await sleep(machine, 0);
    assert.ok(scheduler.passed < 1);
    await sleep(machine, 60_000);
  });
  assert.deepEqual(done, ["first", "second", "third", "a minute"]);
  assert.equal(Math.round(scheduler.passed / 1000), 60);
});

test("a loop that waits for a timer ends, since tasks take time", async () => {
  const scheduler = new Scheduler(1, loop);
  const machine = new Machine("a", scheduler);
  let isOver = false;
  await scheduler.run(async () => {
    scheduler.schedule(machine, 2, () => {
      isOver = true;
    });
    while (!isOver) await sleep(machine, 0);
  });
  assert.ok(scheduler.passed >= 2);
});

test("nothing of a killed machine runs any more, and its handles are closed", async () => {
  const scheduler = new Scheduler(1, loop);
  const [doomed, other] = [new Machine("doomed", scheduler), new Machine("other", scheduler)];
  const handle = {
    open: true,
    close() {
      this.open = false;
    },
  };
  const done: string[] = [];
  doomed.own(handle);
  doomed.onDeath(() => done.push("the connection breaks"));
  await scheduler.run(async () => {
    scheduler.schedule(doomed, 10, () => done.push("a timer of the doomed one"));
    scheduler.schedule(doomed, 0, () => done.push("what it had begun"));
    doomed.kill();
    await sleep(other, 100);
  });
  assert.deepEqual(done, ["the connection breaks"]);
  assert.equal(handle.open, false);
});

test("a simulation in which nothing can happen any more fails", async () => {
  const scheduler = new Scheduler(1, loop);
  const waiting = scheduler.run(() => new Promise(() => {}));
  await assert.rejects(waiting, /nothing can happen any more/);
});
