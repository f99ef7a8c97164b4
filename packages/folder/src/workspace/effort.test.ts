import assert from "node:assert/strict";
import { test } from "node:test";
import { assertQuickData, assertQuickNames, toml, yaml } from "../testing/effort.ts";
import { readIdentity, readPeople, readSchema } from "./descriptions.ts";
import { splitFrontMatter } from "./front-matter.ts";

test("SRC-2: no front matter and no description takes much longer to read than ordinary ones of its length", () => {
  const readToml = (text: string) => splitFrontMatter(`+++\n${text}\n+++\n`);
  const readYaml = (text: string) => splitFrontMatter(`---\n${text}\n---\n`);
  assertQuickData(toml, readToml);
  assertQuickData(yaml, readYaml);
  assertQuickNames("TOML", readToml);
  assertQuickNames("YAML", readYaml);
  assertQuickNames("columns", (text) => readSchema(`properties:\n  ${text.replaceAll("\n", "\n  ")}`));
  assertQuickNames("people", readPeople);
  assertQuickNames("workspace", (text) => readIdentity(text, "folder"));
});

test("SRC-2: front matter of more than 64 KiB is ignored by name, and its page is read", () => {
  for (const [fence, sign] of [
    ["---", ": "],
    ["+++", " = "],
  ]) {
    const withValue = (value: string) =>
      splitFrontMatter(`${fence}\ntitle${sign}"${value}"\n${fence}\nbody\n`);
    const most = 64 * 1024 - `title${sign}""`.length;
    assert.deepEqual(withValue("a".repeat(most)).data, { title: "a".repeat(most) });
    const longer = { data: {}, body: "body\n", fault: "it is longer than 64 KiB" };
    assert.deepEqual(withValue("a".repeat(most + 1)), longer);
    assert.deepEqual(withValue(`${"a".repeat(most - 1)}é`), longer);
  }
});

test("SRC-2: a description of more than 256 KiB is ignored by name", () => {
  const long = `# ${"a".repeat(256 * 1024)}\n`;
  const fault = "it is longer than 256 KiB";
  assert.deepEqual(readSchema(`${long}title: T\n`).faults, [fault]);
  assert.deepEqual(readPeople(`${long}- name: N\n`).faults, [fault]);
});

test("SRC-2: YAML with many aliases, deep nesting or a name twice is ignored, with the reason", () => {
  const faultOf = (yaml: string) => splitFrontMatter(`---\n${yaml}\n---\nbody\n`).fault;
  assert.equal(faultOf(`a: &a 1\nb: [${"*a, ".repeat(50)}]`), null);
  assert.equal(faultOf(`a: &a 1\nb: [${"*a, ".repeat(51)}]`), "it has more than 50 aliases");
  assert.match(faultOf(numbersOfNumbers) ?? "", /^Excessive alias count/);
  assert.equal(faultOf(`a: ${"[".repeat(100)}${"]".repeat(100)}`), null);
  assert.equal(faultOf(`a: ${"[".repeat(300)}${"]".repeat(300)}`), "it is nested more than 100 deep");
  assert.equal(faultOf("{a: ".repeat(200) + "}".repeat(200)), "it is nested more than 100 deep");
  assert.equal(faultOf("? [a]\n: 1"), "a map or a list is no name");
  assert.equal(faultOf("a: 1\nb: 2\na: 3"), "Map keys must be unique");
});

test("SRC-2: YAML with a value that contains itself is ignored, with the reason", () => {
  for (const yaml of [
    "a: &a [*a]",
    "a: &a { b: [*a] }",
    "tags: &a [b, *a]",
    "&a\nb: *a",
    "a: &a\n  b: &b\n    c: [*b, *a]",
  ]) {
    const { data, body, fault } = splitFrontMatter(`---\n${yaml}\n---\nbody\n`);
    assert.deepEqual(
      { data, body, fault },
      { data: {}, body: "body\n", fault: "a value contains itself" },
      yaml,
    );
  }
});

/** Lists of three lists each, ten times within one another. */
const numbersOfNumbers = Array.from({ length: 10 }, (_, index) =>
  index === 0 ? "a0: &a0 [1, 1]" : `a${index}: &a${index} [*a${index - 1}, *a${index - 1}, *a${index - 1}]`,
).join("\n");
