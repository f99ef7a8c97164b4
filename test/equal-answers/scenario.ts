import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeWorkspace } from "@clew/stand-in/testing";
import { integer, seededRandom } from "@clew/stand-in/testing/random";
import { freePort, type Settings } from "../support/clew-process.ts";
import { type RunningClew, startRunning } from "../support/running-clew.ts";
import { clientOf, createToken, signIn, waitForSync } from "../support/session.ts";
import { drawRequests, type Named, type Request } from "./requests.ts";

/** After the last edit of a generated workspace. */
const now = Date.UTC(2026, 10, 1, 9);

/** Pages of a list that are read with cursors. */
const maxPages = 3;

/** A Clew that has synced, and a token for all of it. */
interface Served {
  readonly clew: RunningClew;
  readonly token: string;
  readonly prefix: string;
  readonly workspaceId: string;
}

/**
 * Serves a random workspace from SQLite and from an empty PostgreSQL database, and asks both the same. Throws if an answer
 * differs. Returns how many answers were compared.
 */
export async function compareAnswers(seed: number, postgresUrl: string): Promise<number> {
  const random = seededRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), "clew-equal-"));
  const directory = join(folder, "pages");
  await writeWorkspace(directory, { seed, pages: integer(random, 10, 80) });
  // One after the other on the same port: addresses in texts, and what is cut of them, are the same.
  const env = {
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    PORT: String(await freePort()),
    // One instance may serve the demo workspace from PostgreSQL.
    STAND_IN: "1",
  };
  const requests: Request[] = [];
  const answersFrom = async (url: string): Promise<string[][]> => {
    const served = await serve(directory, { ...env, DATABASE_URL: url });
    try {
      if (requests.length === 0) requests.push(...drawRequests(random, await namesOf(served)));
      const answers: string[][] = [];
      for (const request of requests) answers.push(await ask(served, request));
      return answers;
    } finally {
      await served.clew.stop();
    }
  };
  try {
    const expected = await answersFrom(`sqlite:${join(folder, "clew.db")}`);
    const actual = await answersFrom(postgresUrl);
    for (const [index, request] of requests.entries())
      assert.deepEqual(
        actual[index],
        expected[index],
        `seed ${seed}: ${request.path} ${JSON.stringify(request.body ?? "")}`,
      );
    const answers = expected.flat();
    const refused = answers.filter((answer) => !answer.startsWith("200 "));
    // Equal refusals prove little.
    assert.ok(refused.length < answers.length / 4, refused.join("\n\n"));
    return answers.length;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function serve(directory: string, env: Settings): Promise<Served> {
  const clew = await startRunning({ directory, env, clock: () => now });
  const session = await signIn(clew.url);
  const [workspace] = await waitForSync(clew.url, session);
  assert.ok(workspace);
  const { token, prefix } = await createToken(clew.url, session, "a token");
  const client = clientOf(clew.url, session);
  while ((await client.searchTexts({ q: "text", limit: 1 })).indexed < 1) await sleep(20);
  return { clew, token, prefix, workspaceId: workspace.id };
}

/** The parts of an export's line that are used. */
interface ExportedLine {
  readonly node?: { readonly id: string; readonly type: string; readonly title: string };
  readonly text?: { readonly markdown: string };
}

/** The names that both have in common, since ids and words come from the files. */
async function namesOf(served: Served): Promise<Named> {
  const [answer = ""] = await ask(served, { path: "api/v1/export/?text=true", accept: "application/jsonl" });
  const lines = answer
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as ExportedLine] : []));
  const nodes = lines.flatMap(({ node }) => node ?? []);
  const texts = lines.flatMap(({ text }) => text?.markdown ?? []);
  const titles = nodes.map(({ title }) => title);
  const words = new Set([...titles, ...texts].flatMap((text) => text.split(/\W+/)));
  return {
    workspaceId: shown.workspaceId,
    pages: nodes.filter(({ type }) => type === "page").map(({ id }) => id),
    databases: nodes.filter(({ type }) => type === "database").map(({ id }) => id),
    words: [...words].filter((word) => word.length > 2),
  };
}

/** The names that differ between two installations, as answers are compared with them. */
const shown = {
  workspaceId: "00000000-0000-4000-8000-00000000000a",
  prefix: "svc_XXXXXXXX",
};

/** The answer with its status, and further ones as long as a list has a cursor; with the names of `shown`. */
async function ask({ clew, token, prefix, workspaceId }: Served, request: Request): Promise<string[]> {
  const answers: string[] = [];
  let path = request.path.replaceAll(shown.workspaceId, workspaceId);
  for (;;) {
    const response = await fetch(new URL(path, clew.url), {
      method: request.body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${token}`,
        accept: request.accept,
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: request.body === undefined ? null : JSON.stringify(request.body),
    });
    const text = await response.text();
    const cursor = /"next_cursor":"([^"]+)"/.exec(text)?.[1];
    const body = text
      .replaceAll(workspaceId, shown.workspaceId)
      .replaceAll(prefix, shown.prefix)
      .replaceAll(/"(next_cursor|request_id)":"[^"]+"/g, '"$1":"…"');
    answers.push(`${response.status} ${response.headers.get("content-type")}\n${body}`);
    if (cursor === undefined || answers.length === maxPages) return answers;
    const next = new URLSearchParams(request.path.split("?")[1]?.replaceAll(shown.workspaceId, workspaceId));
    next.set("cursor", cursor);
    path = `${request.path.split("?")[0]}?${next}`;
  }
}
