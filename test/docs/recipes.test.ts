import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { main, withoutSettings } from "../support/clew-process.ts";
import { hasCurl } from "../support/curl.ts";
import { freshSample } from "../support/fresh-sample.ts";
import { startRunning } from "../support/running-clew.ts";
import { createToken, signIn, waitForSync } from "../support/session.ts";

const root = join(import.meta.dirname, "../..");
const path = join(root, "docs/recipes.md");

/** The output that everything below a heading must show, by the beginning of the heading. */
const expected: Readonly<Record<string, RegExp>> = {
  "Brief me": /How Far Is a Star\?/,
  "How are two pages related": /Jupiter/,
  "What changed this week": /Messier Objects/,
  "Follow what changes": /next_cursor|up to date|since 24h/,
  "Stale and broken pages": /Sun|Phobos and Deimos/,
  "A table": /Proxima Centauri/,
};

interface Block {
  readonly heading: string;
  readonly language: string;
  readonly code: string;
}

function blocksOf(document: string): readonly Block[] {
  return document.split(/^## /m).flatMap((section) => {
    const [heading = ""] = section.split("\n");
    return [...section.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", code = ""]) => ({
      heading,
      language,
      code,
    }));
  });
}

test("docs/recipes.md: every recipe works as it is shown", {
  skip: !hasCurl() && "there is no curl",
}, async (t) => {
  const directory = await freshSample();
  t.after(() => rm(directory, { recursive: true }));
  const clew = await startRunning({ directory });
  t.after(() => clew.stop());
  const session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  const { token } = await createToken(clew.url, session, "recipes");

  const blocks = blocksOf(await readFile(path, "utf8"));
  const [clientCode = ""] = blocks.flatMap(({ language, code }) =>
    language === "" && code.startsWith("import ") ? [code] : [],
  );
  const env = {
    ...withoutSettings,
    CLEW_URL: clew.url.href.replace(/\/$/, ""),
    CLEW_TOKEN: token,
  };
  const run = async (command: string, ...words: string[]) =>
    (await promisify(execFile)(command, words, { cwd: root, env })).stdout;
  const agent = new Client({ name: "recipes", version: "1" });
  await agent.connect(
    new StreamableHTTPClientTransport(new URL("api/v1/mcp", clew.url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  t.after(() => agent.close());

  const shown: Readonly<Record<string, (code: string) => Promise<string>>> = {
    sh: (code) => run("sh", "-ec", `clew() { "${process.execPath}" "${main}" "$@"; }\n${code}`),
    ts: (code) => run(process.execPath, "--input-type=module-typescript", "--eval", clientCode + code),
    async json(code) {
      const { isError, content } = await agent.callTool(JSON.parse(code));
      const [first] = content;
      assert.notEqual(isError, true, JSON.stringify(content));
      return first?.type === "text" ? first.text : "";
    },
  };
  const tried = new Set<string>();
  for (const { heading, language, code } of blocks) {
    const show = shown[language];
    if (show === undefined) continue;
    const [start, pattern] =
      Object.entries(expected).find(([name]) => heading.startsWith(name)) ?? assert.fail(heading);
    assert.match(await show(code), pattern, `${heading}:\n${code}`);
    tried.add(`${start}: ${language}`);
  }
  for (const start of Object.keys(expected))
    for (const language of ["sh", "ts", "json"])
      assert.ok(tried.has(`${start}: ${language}`), `${start}: ${language}`);
});
