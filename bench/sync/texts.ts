import { randomBytes } from "node:crypto";
import { createNotionProvider } from "../../packages/notion/src/provider.ts";
import { watchTurns } from "./longest-turn.ts";

/**
 * Measures reading a page's text: ordinary texts of several sizes, and pathological texts of 10 MB (SYNC-5). Prints the
 * wall time, and the longest processor time for which a text blocks the event loop: `npm run bench texts`.
 */
const size = 9_500_000;
const id = "00000000-0000-4000-8000-000000000001";
const sentence =
  "Some [words](https://www.notion.so/0123456789abcdef0123456789abcdef) in a line of prose, and *more* of them.\n";
const gap = `<unknown url="https://app.notion.com/p/${id.replaceAll("-", "")}" alt="child_page"/>\n`;

const texts: readonly (readonly [name: string, text: string])[] = [
  ...[1_000, 10_000, 100_000, 1_000_000, size].map(
    (length) => [`prose of ${length} characters`, repeated(sentence, length)] as const,
  ),
  ["images in images", repeated("![![](", size)],
  ["empty lines", repeated("\n", size / 2)],
  ["tags that are not closed", repeated("<unknown ", size)],
  ["gaps", repeated(gap, size)],
  ["control characters", repeated("\u0001", size / 6)],
];

let answer: Buffer<ArrayBuffer> = Buffer.alloc(0);
const reader = createNotionProvider({
  slug: "bench",
  aliases: [],
  name: "Bench",
  standIn: false,
  apiUrl: new URL("http://127.0.0.1:1"),
  clientId: "client",
  clientSecret: "secret",
  clock: Date.now,
  random: randomBytes,
  requestsPerMinute: Number.POSITIVE_INFINITY,
  fetch: async () => new Response(chunks(answer), { headers: { "content-type": "application/json" } }),
}).reader("token");

for (const [name, text] of texts) {
  const json = Buffer.from(JSON.stringify({ markdown: text, truncated: false, unknown_block_ids: [] }));
  const runs = text.length > 100_000 ? 3 : 50;
  // A first run is not measured: code that has not been compiled is slow.
  await read(json);
  const turns = watchTurns();
  const began = performance.now();
  let outcome = "";
  for (let run = 0; run < runs; run += 1) outcome = await read(json);
  const each = (performance.now() - began) / runs;
  const { longest } = await turns.stop();
  console.log(
    `${name}: ${each.toFixed(1)} ms, blocks the event loop for at most ${longest.toFixed(1)} ms: ${outcome}`,
  );
}

function repeated(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length));
}

/** A body in chunks, as it arrives over a network. */
function chunks(bytes: Buffer<ArrayBuffer>): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve));
      controller.enqueue(bytes.subarray(at, at + 65_536));
      at += 65_536;
      if (at >= bytes.length) controller.close();
    },
  });
}

/** Reads a page whose response has this body, and describes the result. All reads share a provider, as in a server. */
async function read(body: Buffer<ArrayBuffer>): Promise<string> {
  answer = body;
  try {
    const { references, children } = await reader.content(id);
    return `${references.length} references, ${children.length} children`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
