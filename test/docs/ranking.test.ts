import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { requestPath } from "../../packages/server/src/api/openapi/examples.ts";
import { clientOf, signIn, waitForSync } from "../support/session.ts";
import { sharedDemo } from "../support/shared-demo.ts";

const path = join(import.meta.dirname, "../../docs/ranking.md");

/** The room leaves some for addresses that differ from run to run: the port of a Clew is part of the Markdown. */
const question = { q: "How is the distance of a star measured?", max_chars: 2750, explain: true };

/** A client of the demo workspace whose texts can all be found. */
const open = once(async () => {
  const url = await sharedDemo();
  const session = await signIn(url);
  await waitForSync(url, session);
  const client = clientOf(url, session);
  while ((await client.searchTexts({ q: "star", limit: 1 })).indexed < 1) await sleep(50);
  return client;
});

/** The items of the example. */
const explained = once(async () => {
  const { items } = await (await open()).buildContext(question);
  return items.map(({ node, why, explanation }) => {
    const [best] = explanation?.passages ?? [];
    assert.ok(explanation && best);
    return { title: node.title, why, ...explanation, best };
  });
});

type Explained = Awaited<ReturnType<typeof explained>>;

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let begun: Promise<Result> | null = null;
  return () => (begun ??= work());
}

/** The tables and the message of the example. */
function writeExample(items: Explained): string {
  const [first = assert.fail("no items")] = items;
  const titles = items.map(({ title }) => title);
  return `${[
    "```http",
    `GET ${requestPath("/api/provider-graph/context/", { parameters: question })}`,
    "```",
    "",
    ...table(["the page", ...titles], {
      "is there for (`why`)": items.map(({ why }) => why),
      ...rowsOf(items.map(({ parts }) => parts)),
      "**rank**": items.map(({ rank }) => figure(rank)),
      "link from (`via`)": items.map(({ via }) => via?.title ?? ""),
    }),
    "",
    ...table(["its best passage", ...titles], {
      ...rowsOf(items.map(({ best }) => best.parts)),
      "**score**": items.map(({ best }) => figure(best.score)),
    }),
    "",
    `The best passage of *${first.title}*, as it is in the message:`,
    "",
    "```json",
    writeJson(first.best),
    "```",
  ].join("\n")}\n`;
}

/** Sums of billionths are exact as whole numbers. */
const billionths = (value: number) => Math.round(value * 1e9);
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + billionths(value), 0);

const figure = (value: number) => (value === 0 ? "0" : value.toFixed(3));

function table(head: readonly string[], rows: Readonly<Record<string, readonly string[]>>): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const numbers = head.slice(1).map(() => "---:");
  return [line(head), line(["---", ...numbers]), ...Object.entries(rows).map((row) => line(row.flat()))];
}

/** A row of figures for each part. */
function rowsOf(columns: readonly Readonly<Record<string, number>>[]): Record<string, string[]> {
  const names = Object.keys(columns[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [`\`${name}\``, columns.map((parts) => figure(parts[name] ?? 0))]),
  );
}

/** A passage as JSON, each word on a line of its own. */
function writeJson({ words, ...passage }: Explained[number]["best"]): string {
  const lines = words.map((word) => `    ${JSON.stringify(word)}`);
  const rest = JSON.stringify(passage, null, 2).replace(/\n\}$/, "");
  return `${rest},\n  "words": [\n${lines.join(",\n")}\n  ]\n}`;
}

test("docs/ranking.md names constants and functions that are in their files", async () => {
  const document = await readFile(path, "utf8");
  const links = [...document.matchAll(/\[`(\w+)`\]\((\.\.\/packages\/[\w./-]+\.ts)\)/g)];
  assert.ok(links.length > 30);
  for (const [, name = "", file = ""] of links) {
    const source = await readFile(join(dirname(path), file), "utf8");
    assert.match(source, new RegExp(`^(?:export )?(?:const|function) ${name}\\b`, "m"), `${name} in ${file}`);
  }
});

test("docs/ranking.md has a row for each part of an explanation", async () => {
  const document = await readFile(path, "utf8");
  const [{ parts, best } = assert.fail("no items")] = await explained();
  const names = [...Object.keys(parts), ...Object.keys(best.parts)];
  assert.equal(names.length, 15);
  const [description = ""] = document.split("\n## An example");
  for (const name of names) assert.match(description, new RegExp(`^\\| \`${name}\` \\|`, "m"));
});

test("GRAPH-22: on the demo workspace parts add up exactly, and nearly each of them counts somewhere", async () => {
  const client = await open();
  const [page] = (await client.searchPages({ q: "Jupiter" })).items;
  const counted = new Set<string>();
  for (const q of [
    "Which moons does Jupiter have?",
    "phase of Venus in a telescope",
    "brightness and period",
  ]) {
    const asked = { q, id: page?.node.id, max_chars: 60_000, explain: true };
    for (const { explanation } of (await client.buildContext(asked)).items) {
      assert.ok(explanation);
      const scored = explanation.passages.map(({ parts, score }) => ({ parts, sum: score }));
      for (const { parts, sum } of [{ parts: explanation.parts, sum: explanation.rank }, ...scored]) {
        assert.equal(sumOf(Object.values(parts)), billionths(sum));
        for (const [name, part] of Object.entries(parts)) if (part !== 0) counted.add(name);
      }
    }
  }
  // Code is nowhere the best passage of its section there.
  assert.ok(counted.size >= 14, [...counted].join());
});

test("docs/ranking.md: its example is what Clew answers", async () => {
  const document = await readFile(path, "utf8");
  const items = await explained();
  assert.ok(items.length > 2);
  const example = writeExample(items).replaceAll("$", "$$$$");
  const region = /(?<=<!-- example -->\n)[\s\S]*(?=<!-- \/example -->)/;
  const written = document.replace(region, example);
  if (process.env.WRITE_DOCS === "1") await writeFile(path, written);
  else assert.equal(document, written, "docs/ranking.md is out of date: run npm run docs");
});
