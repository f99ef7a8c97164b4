import assert from "node:assert/strict";
import { test } from "node:test";
import { createAnswers } from "./answers.ts";

const source = (id: number, edition: number) => ({ connection: { id }, edition }) as never;
const asked = { userId: "one", url: "/search/?q=a", sources: [source(1, 4), source(2, 7)] };

test("GRAPH-10: an answer is given again to the same person who asks the same of the same editions, and nobody else", () => {
  const answers = createAnswers();
  let made = 0;
  const ask = (other: Partial<typeof asked> = {}) =>
    answers.remember({ ...asked, ...other }, () => {
      made += 1;
      return { message: made, size: 1, isLasting: true };
    });
  assert.deepEqual([ask(), ask()], [1, 1]);
  const others = [
    { userId: "two" },
    { url: "/search/?q=b" },
    { sources: [source(1, 4)] },
    { sources: [source(1, 4), source(2, 8)] },
    { sources: [source(1, 4), source(3, 7)] },
    { sources: [] },
  ];
  assert.deepEqual(others.map(ask), [2, 3, 4, 5, 6, 7]);
  assert.equal(ask(), 1);
});

test("GRAPH-9: an answer that was cut is made anew the next time, and so is one that is too large to keep", () => {
  const answers = createAnswers();
  let made = 0;
  const ask = (size: number, isLasting: boolean) =>
    answers.remember(asked, () => {
      made += 1;
      return { message: made, size, isLasting };
    });
  assert.deepEqual([ask(1, false), ask(20_001, true), ask(1, true), ask(1, true)], [1, 2, 3, 3]);
});

test("answers are kept up to a size, and those before are forgotten together", () => {
  const answers = createAnswers();
  let made = 0;
  const ask = (url: string) =>
    answers.remember({ ...asked, url }, () => {
      made += 1;
      return { message: made, size: 9000, isLasting: true };
    });
  assert.deepEqual(["a", "b", "a", "c", "a", "c"].map(ask), [1, 2, 1, 3, 4, 3]);
});
