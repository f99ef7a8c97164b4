import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { inspect } from "node:util";
import { ProviderError } from "@clew/provider";
import { bareId, someId } from "./testing/api-objects.ts";
import { timelessProvider } from "./testing/provider.ts";
import { sendError, sendJson, startProvider } from "./testing/provider-server.ts";
import { createNotionTextParser, type NotionTextParser, textTasks } from "./text-tasks.ts";
import { dialectOf, notionDialect } from "./urls.ts";

const never = new AbortController().signal;
const demo = dialectOf(new URL("http://localhost:8420/demo/"));

/** Counts the threads that start during a test. */
function countThreads(t: TestContext): () => number {
  let threads = 0;
  const count = () => {
    threads += 1;
  };
  process.on("worker", count);
  t.after(() => process.off("worker", count));
  return () => threads;
}

const parseContent = (parser: NotionTextParser, markdown: string, signal = never, dialect = notionDialect) =>
  parser.parse("content", markdown, { length: markdown.length, dialect, signal });

/** A text that takes far longer than any limit of these tests. */
const hostile = "![![](".repeat(1_600_000);

/** A limit that ordinary texts stay far below. */
const soon = () => 500;

const tooLong = (error: unknown) =>
  error instanceof ProviderError &&
  error.code === "malformed" &&
  error.message.endsWith("too much processor time");

test("SYNC-5: small texts are parsed inline, large ones in a thread that is reused", async (t) => {
  const threads = countThreads(t);
  const parser = createNotionTextParser();
  await parseContent(parser, "word ".repeat(3000));
  assert.equal(threads(), 0);
  for (let page = 0; page < 3; page += 1) await parseContent(parser, "word ".repeat(30_000));
  assert.equal(threads(), 1);
});

test("SYNC-5: many large texts share two threads, one for each grant at a time", async (t) => {
  const threads = countThreads(t);
  const parser = createNotionTextParser({ maxInlineChars: 0 });
  const grants = [never, new AbortController().signal, new AbortController().signal];
  const texts = Array.from({ length: 21 }, (_, page) => `[a](/${bareId(page + 1)})`);
  const parsed = await Promise.all(texts.map((text, page) => parseContent(parser, text, grants[page % 3])));
  assert.deepEqual(
    parsed.map(({ references: [reference] }) => reference?.targetId),
    texts.map((_, page) => someId(page + 1)),
  );
  assert.equal(threads(), 2);
});

test("SYNC-5: a thread gives the same results as inline parsing", async () => {
  const inThread = createNotionTextParser({ maxInlineChars: 0 });
  const markdown = [
    `# A [b](/${bareId(2)} "c") and <mention-page url="/${bareId(3)}">Three</mention-page>`,
    `\t<unknown url="https://app.notion.com/p/${bareId(1)}#${bareId(9)}" alt="bookmark"/>`,
    `[demo](http://localhost:8420/demo/pages/${bareId(4)})`,
    "https://prod-files-secure.s3.us-west-2.amazonaws.com/a/b/file.png?X-Amz-Signature=x",
    "<unknown>",
  ].join("\n");
  const body = JSON.stringify({ markdown, truncated: true, unknown_block_ids: [someId(9), 7, "x"] });
  for (const dialect of [notionDialect, demo]) {
    const options = { length: 1, dialect, signal: never };
    const answered = await inThread.parse("answered", body, options);
    assert.deepEqual(answered, textTasks.answered(body, dialect));
    assert.equal(answered.gaps.length, 1);
    const fills = answered.gaps.map((gap) => ({ gap, text: "one\ntwo" }));
    const input = { markdown, fills, parts: ["end"] };
    const filled = await inThread.parse("filled", input, options);
    assert.equal(filled, textTasks.filled(input));
    assert.match(filled, /\n\tone\n\ttwo\n.*\nend$/s);
    assert.deepEqual(
      await parseContent(inThread, filled, never, dialect),
      textTasks.content(filled, dialect),
    );
  }
});

test("SYNC-5: errors are the same with and without a thread", async () => {
  for (const maxInlineChars of [0, 1_000_000]) {
    const parser = createNotionTextParser({ maxInlineChars });
    const failing = (body: string) =>
      parser.parse("answered", body, { length: body.length, dialect: notionDialect, signal: never });
    await assert.rejects(failing("<html>"), {
      code: "malformed",
      message: "failed to read the provider's answer",
    });
    await assert.rejects(failing('{"markdown":7}'), {
      code: "malformed",
      message: /expected text at markdown/,
    });
  }
});

test("SYNC-5: an error of the parser does not contain the text", async () => {
  for (const maxInlineChars of [0, 1_000_000]) {
    const secret = createNotionTextParser({ maxInlineChars }).parse("answered", "secret", {
      length: 6,
      dialect: notionDialect,
      signal: never,
    });
    await assert.rejects(secret, (error) => !inspect(error).includes("secret"));
  }
});

test("SYNC-5: a text that takes too long fails, and the next ones are parsed", async (t) => {
  const threads = countThreads(t);
  const parser = createNotionTextParser({ maxInlineChars: 0, quickThreads: 1, limitMs: soon });
  const [first, second] = await Promise.allSettled([
    parseContent(parser, hostile),
    parseContent(parser, `[a](/${bareId(2)})`),
  ]);
  assert.ok(first.status === "rejected" && tooLong(first.reason));
  assert.ok(second.status === "fulfilled" && second.value.references.length === 1);
  assert.equal(threads(), 2);
});

test("SYNC-5: an aborted parse does not wait, and leaves no thread busy", async () => {
  const parser = createNotionTextParser({ maxInlineChars: 0, quickThreads: 1, limitMs: () => 60_000 });
  const stop = new AbortController();
  const parsing = parseContent(parser, hostile, stop.signal);
  stop.abort(new Error("the sync ends"));
  await assert.rejects(parsing, /the sync ends/);
  assert.equal((await parseContent(parser, "more")).markdown, "more");
  await assert.rejects(parseContent(parser, "more", stop.signal), /the sync ends/);
});

test("SYNC-5: a page that takes too long to parse fails alone", async (t) => {
  const texts: Readonly<Record<string, string>> = { [someId(1)]: hostile, [someId(2)]: `[a](/${bareId(3)})` };
  const { url } = await startProvider(t, ({ path }, response) => {
    const markdown = texts[path.split("/")[3] ?? ""];
    if (markdown === undefined) return sendError(response, 404, "object_not_found");
    sendJson(response, { object: "page_markdown", markdown, truncated: false, unknown_block_ids: [] });
  });
  const options = { texts: createNotionTextParser({ limitMs: soon }) };
  const reader = timelessProvider(url, options).provider.reader("t");
  const [bad, good] = await Promise.allSettled([reader.content(someId(1)), reader.content(someId(2))]);
  assert.ok(bad.status === "rejected" && tooLong(bad.reason));
  assert.ok(good.status === "fulfilled" && good.value.references.length === 1);
});
