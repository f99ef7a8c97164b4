import assert from "node:assert/strict";
import { test } from "node:test";
import { createAnswers } from "./answers.ts";

const source = (id: number, edition: number) => ({ connection: { id }, edition }) as never;
const asked = {
  userId: "one",
  words: "/search/?q=a",
  readable: [{ id: 1 }, { id: 2 }],
  sources: [source(1, 4), source(2, 7)],
};

test("GRAPH-10: an answer is given again to who has asked the same of the same editions twice, and nobody else", () => {
  const answers = createAnswers();
  let made = 0;
  const ask = (other: Partial<typeof asked> = {}) =>
    answers.remember({ ...asked, ...other }, () => {
      made += 1;
      return { message: { made }, size: 1, isLasting: true };
    }).made;
  assert.deepEqual([ask(), ask(), ask()], [1, 2, 2]);
  const others = [
    { userId: "two" },
    { words: "/search/?q=b" },
    { readable: [{ id: 1 }] },
    { sources: [source(1, 4)] },
    { sources: [source(1, 4), source(2, 8)] },
    { sources: [source(1, 4), source(3, 7)] },
    { sources: [] },
  ];
  assert.deepEqual(others.map(ask), [3, 4, 5, 6, 7, 8, 9]);
  assert.equal(ask(), 2);
});

test("GRAPH-9: an answer that was cut is made anew the next time, and so is one that is too large to keep", () => {
  const answers = createAnswers();
  let made = 0;
  const ask = (size: number, isLasting: boolean) =>
    answers.remember(asked, () => {
      made += 1;
      return { message: { made }, size, isLasting };
    }).made;
  const answered = [ask(1, false), ask(1, false), ask(20_001, true), ask(20_001, true)];
  assert.deepEqual([...answered, ask(1, true), ask(1, true), ask(1, true)], [1, 2, 3, 4, 5, 6, 6]);
});

test("answers are kept up to a size, and the one that nobody has asked for longest goes first", () => {
  const answers = createAnswers();
  let made = 0;
  const ask = (words: string) =>
    answers.remember({ ...asked, words }, () => {
      made += 1;
      return { message: { made }, size: 9000, isLasting: true };
    }).made;
  assert.deepEqual(["a", "b", "a", "b", "a"].map(ask), [1, 2, 3, 4, 3]);
  assert.deepEqual(["c", "c", "a", "c", "b"].map(ask), [5, 6, 3, 6, 7]);
});
