import assert from "node:assert/strict";
import { test } from "node:test";
import { integer, pick, type Random, seededRandom } from "@clew/stand-in/testing/random";
import { isLinearizable, type Model, type Operation, smallestContradiction } from "./linearizability.ts";

interface RegisterCall {
  readonly kind: "write" | "take" | "read";
  readonly value: number;
}

/** A number that is written, read, or taken, which leaves zero. Taking is what only one of several clients may succeed in. */
const register: Model<number, RegisterCall, number> = {
  initial: 0,
  next(state, { kind, value }, outcome) {
    if (kind === "write") return value;
    if (state !== outcome) return null;
    return kind === "take" ? 0 : state;
  },
  nextUnanswered: (state, { kind, value }) => ({ write: value, take: 0, read: state })[kind],
  observes: ({ kind }) => kind === "read",
};

type RegisterOperation = Operation<RegisterCall, number>;

/** `write 1` from its call to its answer; without an answer its outcome is unknown. */
function operation(words: string, called: number, answered = Number.POSITIVE_INFINITY): RegisterOperation {
  const [kind, value] = words.split(" ");
  assert.ok(kind === "write" || kind === "take" || kind === "read");
  const outcome = answered === Number.POSITIVE_INFINITY ? null : Number(value);
  return { client: "one", instance: "one", call: { kind, value: Number(value) }, outcome, called, answered };
}

const good: Readonly<Record<string, readonly RegisterOperation[]>> = {
  "nothing happens": [],
  "a read beside a write sees the old value": [operation("write 1", 0, 10), operation("read 0", 1, 9)],
  "a read beside a write sees the new value": [operation("write 1", 0, 10), operation("read 1", 1, 2)],
  "a write without an answer takes effect late": [
    operation("write 1", 0),
    operation("read 0", 1, 2),
    operation("read 1", 3, 4),
  ],
  "a write without an answer never takes effect": [operation("write 1", 0), operation("read 0", 1, 2)],
  "two writes take effect in the order that the reads need": [
    operation("write 1", 0, 10),
    operation("write 2", 0, 10),
    operation("read 2", 11, 12),
  ],
};

const bad: Readonly<Record<string, readonly RegisterOperation[]>> = {
  "a stale read": [operation("write 1", 0, 1), operation("read 0", 2, 3)],
  "a lost update": [operation("write 1", 0, 1), operation("write 2", 2, 3), operation("read 1", 4, 5)],
  "two clients take one value": [
    operation("write 1", 0, 1),
    operation("take 1", 2, 5),
    operation("take 1", 3, 6),
  ],
  "a value that comes back": [operation("write 1", 0), operation("read 1", 1, 2), operation("read 0", 3, 4)],
  "two readers see two writes in different orders": [
    operation("write 1", 0, 100),
    operation("write 2", 0, 100),
    operation("read 1", 1, 2),
    operation("read 2", 3, 4),
    operation("read 1", 5, 6),
  ],
};

for (const [what, history] of Object.entries(good))
  test(`${what}: linearizable`, () => assert.equal(isLinearizable(history, register), true));

for (const [what, history] of Object.entries(bad))
  test(`${what}: not linearizable`, () => assert.equal(isLinearizable(history, register), false));

/** Whether any order of any operations does, tried one by one. */
function bruteForce(left: readonly RegisterOperation[], state: number): boolean {
  if (left.every(({ outcome }) => outcome === null)) return true;
  return left.some((operation) => {
    if (left.some(({ answered }) => answered < operation.called)) return false;
    const { call, outcome } = operation;
    const next =
      outcome === null ? register.nextUnanswered(state, call) : register.next(state, call, outcome);
    return (
      next !== null &&
      bruteForce(
        left.filter((each) => each !== operation),
        next,
      )
    );
  });
}

function drawHistory(random: Random): RegisterOperation[] {
  return Array.from({ length: integer(random, 1, 7) }, () => {
    const called = integer(random, 0, 12);
    const words = `${pick(random, ["write", "take", "read"])} ${integer(random, 0, 2)}`;
    return random() < 0.15
      ? operation(words, called)
      : operation(words, called, called + integer(random, 0, 6));
  });
}

test("random histories are judged as a search through all orders judges them", (t) => {
  const seed = Date.now() % 1_000_000;
  t.diagnostic(`seed ${seed}`);
  const random = seededRandom(seed);
  let linearizable = 0;
  for (let round = 0; round < 2_000; round += 1) {
    const history = drawHistory(random);
    const expected = bruteForce(history, register.initial);
    if (expected) linearizable += 1;
    assert.equal(isLinearizable(history, register), expected, JSON.stringify(history));
  }
  assert.ok(linearizable > 100 && linearizable < 1_900, `${linearizable} of 2000 are linearizable`);
});

test("the smallest contradiction ends at the first answer that contradicts, and needs each of its reads", (t) => {
  const seed = Date.now() % 1_000_000;
  t.diagnostic(`seed ${seed}`);
  const random = seededRandom(seed);
  for (let round = 0; round < 500; round += 1) {
    const history = drawHistory(random);
    const part = smallestContradiction(history, register);
    assert.equal(part === null, bruteForce(history, register.initial), JSON.stringify(history));
    if (part === null) continue;
    assert.equal(bruteForce(part, register.initial), false);
    for (const read of part.filter(({ call }) => call.kind === "read")) {
      const without: RegisterOperation[] = part.filter((each) => each !== read);
      assert.equal(bruteForce(without, register.initial), true, JSON.stringify(part));
    }
  }
});

test("a stale read among many operations is shown with the write alone", () => {
  const before = Array.from({ length: 50 }, (_, index) => operation("read 0", index, index + 0.5));
  const after = Array.from({ length: 50 }, (_, index) => operation("write 3", 200 + index, 200.5 + index));
  const [write, stale] = [operation("write 1", 100, 101), operation("read 0", 102, 103)];
  const part = smallestContradiction([...before, write, stale, ...after], register);
  assert.deepEqual(part, [write, stale]);
});
