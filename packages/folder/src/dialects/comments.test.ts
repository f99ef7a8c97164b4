import assert from "node:assert/strict";
import { test } from "node:test";
import { splitComments } from "./comments.ts";

const cases: readonly (readonly [text: string, shown: string, comments: string])[] = [
  ["a %%b%% c %%d%%", "a  c ", "b\n\nd"],
  ["a\n%%\nb\n\nc\n%%\nd", "a\n\nd", "\nb\n\nc\n"],
  ["a\n%%\nb\n\nc", "a\n", "\nb\n\nc"],
  ["> %% a\n> b %% c", ">  c", " a\n> b "],
  ["a 100 %% b\nc %% d", "a 100 %% b\nc %% d", ""],
  ["a %% b", "a %% b", ""],
  ["\\%%a%% b%%", "\\%%a", " b"],
  ["`%%a%%` %%b%%", "`%%a%%` ", "b"],
  ["```\n%%\n```\nc", "```\n%%\n```\nc", ""],
  ["%%\n```js\n[[a]]\n```\nb\n%%\nc", "\nc", "\n\nb\n"],
  ["%%%a%%", "", "%a"],
  ["%%a%% %%b\nc", " %%b\nc", "a"],
];

test("SRC-4: comments of Obsidian are no part of a text; without an end one reaches to that of the text", () => {
  for (const [text, shown, comments] of cases)
    assert.deepEqual(splitComments(text), { shown, comments }, JSON.stringify(text));
});
