import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { graphLimits } from "@clew/contract";
import type { App } from "../../packages/server/src/http/server.ts";
import { workspace as namedWorkspace } from "../../packages/server/src/mcp/testing/agent-server.ts";
import { nodeId } from "../../packages/server/src/store/testing/scratch.ts";
import { type Document, expectDocumentedProblem, readDocument } from "../openapi/document.ts";
import { markdownPage, setTimes, writeFiles, writeLinkedPages } from "../support/markdown-folder.ts";
import { type RawAnswer, type Send, senderTo } from "../support/raw-request.ts";
import { type RunningClew, startRunning } from "../support/running-clew.ts";
import { createToken, type SignedIn, signIn, waitForSync } from "../support/session.ts";
import { openStage, type Stage } from "../support/stage.ts";
import { expectWellFormed } from "../surface/expectations.ts";
import { readStored } from "../surface/stored.ts";
import { canary } from "./hostile.ts";
import { maxBlock, measureBlock } from "./longest-block.ts";

/** A request as an input. Names of this Clew in it are those of `standsFor`. */
export interface FuzzRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The credentials that it carries. */
  readonly as: "token" | "session" | "anonymous";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The host of Clew in inputs, whose real port differs each time. */
export const namedHost = "clew.example";
export const namedUrl = new URL(`http://${namedHost}/`);

interface Options {
  readonly pages?: number;
  /** Whether the workspace is a folder as a source of its own, and not the demo workspace over one. */
  readonly isFolder?: boolean;
  /** Receives Clew's server before anything is registered on it: tests plant faults there. */
  readonly plant?: (server: App) => void;
}

/** Milliseconds to the end of an answer: no answer needs as long (LIM-3). */
const maxWait = 120_000;

/** Milliseconds to the end of a sync of a few pages, on a busy machine. */
const maxSync = 180_000;

/** Times that a request may block the thread once: code that is compiled and caches that are filled. */
const attempts = 4;

/** A Clew with a synced workspace, and the invariants of its answers. */
export class Ground {
  readonly clew: RunningClew;
  /** The folder of Markdown that is the workspace. */
  readonly directory: string;
  readonly #stage: Stage;
  readonly #lines: string[];
  readonly #send: Send;
  readonly #document: Document;
  readonly #credentials: Readonly<Record<FuzzRequest["as"], string>>;
  readonly #workspaceId: string;
  #stored = "";

  private constructor(
    stage: Stage,
    clew: RunningClew,
    parts: {
      readonly directory: string;
      readonly lines: string[];
      readonly document: Document;
      readonly session: SignedIn;
      readonly token: string;
      readonly workspaceId: string;
    },
  ) {
    this.#stage = stage;
    this.clew = clew;
    this.directory = parts.directory;
    this.#lines = parts.lines;
    this.#document = parts.document;
    this.#workspaceId = parts.workspaceId;
    this.#credentials = { token: parts.token, session: parts.session.access, anonymous: "" };
    this.#send = senderTo(clew.url);
  }

  static async open({ pages = 200, isFolder = false, plant = () => {} }: Options = {}): Promise<Ground> {
    const stage = await openStage();
    try {
      const directory = `${stage.folder}/pages`;
      await writeLinkedPages(directory, pages);
      await writeFiles(directory, groundFiles);
      await setTimes(directory, new Date(Date.now() - 3_600_000));
      const lines: string[] = [];
      const clew = await startRunning({
        ...(!isFolder && { directory }),
        env: { LOG_LEVEL: "debug", ...(isFolder && { FOLDERS: `pages=${directory}` }) },
        log: new Writable({
          write(line, _, done) {
            lines.push(String(line));
            done();
          },
        }),
        // No address of a program is asked for its document: nothing leaves this machine.
        documentNetwork: {
          resolve: async () => [],
          connect: () => {
            throw new Error("no address was resolved");
          },
        },
        onServer: plant,
      });
      stage.defer(() => clew.stop());
      const session = await signIn(clew.url);
      const [workspace] = await waitForSync(clew.url, session);
      assert.ok(workspace);
      const { token } = await createToken(clew.url, session, "a program");
      const document = await readDocument(clew.url);
      const ground = new Ground(stage, clew, {
        directory,
        lines,
        document,
        session,
        token,
        workspaceId: workspace.id,
      });
      await ground.remember();
      // It loads the 20 MB of the table of tokens, which would pass for growth.
      await ground.try({ method: "GET", path: "/api/v1/context/?q=page&max_tokens=500", as: "token" });
      return ground;
    } catch (error) {
      await stage.close();
      throw error;
    }
  }

  /** Sends a request and checks its answer, its time on the thread and the log. */
  async try(request: FuzzRequest): Promise<RawAnswer> {
    const { result, block } = await measureBlock(() => this.#ask(request));
    let least = block;
    // The machine is shared, and a first request compiles code: only what blocks every time is a fault of the input.
    for (let again = 1; least > maxBlock && again < attempts; again += 1)
      least = Math.min(least, (await measureBlock(() => this.#ask(request))).block);
    assert.ok(
      least <= maxBlock,
      `${labelOf(request)} blocks the thread for ${least.toFixed(1)} ms each time`,
    );
    return result;
  }

  async #ask(request: FuzzRequest): Promise<RawAnswer> {
    const label = labelOf(request);
    const credential = this.#credentials[request.as];
    const sent = {
      method: request.method,
      path: this.#named(request.path),
      headers: { ...(credential && { authorization: `Bearer ${credential}` }), ...request.headers },
      ...(request.body !== undefined && { body: this.#named(request.body) }),
    };
    const answer = await within(maxWait, this.#send(sent), label);
    assert.ok(answer.status < 500, `${label} → ${answer.status} ${answer.text.slice(0, 200)}`);
    expectWellFormed(sent, answer);
    expectDocumentedProblem(this.#document, sent, answer);
    assert.ok(answer.text.length <= graphLimits.answerBytes, `${label} → ${answer.text.length} bytes`);
    const log = this.#lines.splice(0).join("");
    for (const secret of [canary, this.#credentials.token, this.#credentials.session])
      assert.ok(!log.includes(secret), `${label} is in the log: ${log.slice(0, 500)}`);
    return answer;
  }

  /** Syncs the workspace, and throws if that does not end or fails. */
  async sync(): Promise<void> {
    const base = `/api/provider-graph/workspaces/`;
    await this.#ask({ method: "POST", path: `${base}${namedWorkspace}/sync/`, as: "session" });
    const end = performance.now() + maxSync;
    for (;;) {
      const { body } = await this.#ask({ method: "GET", path: base, as: "session" });
      const { state, error } = body.items[0].sync;
      assert.notEqual(state, "failed", String(error));
      if (state === "idle") return;
      assert.ok(performance.now() < end, `the sync has not ended after ${maxSync} ms`);
      await sleep(20);
    }
  }

  /** Replaces the names in an input by those of this Clew. */
  #named(text: string): string {
    return text.replaceAll(namedWorkspace, this.#workspaceId).replaceAll(namedHost, this.clew.url.host);
  }

  /** Remembers what is stored now. */
  async remember(): Promise<void> {
    this.#stored = await readStored(this.clew.databaseLocation);
  }

  /** Throws if anything else is stored than was remembered. */
  async settle(): Promise<void> {
    assert.equal(
      await readStored(this.clew.databaseLocation),
      this.#stored,
      "a request changed what is stored",
    );
  }

  close(): Promise<void> {
    return this.#stage.close();
  }
}

const labelOf = ({ method, path, body = "" }: FuzzRequest) =>
  `${method} ${path.slice(0, 300)} ${JSON.stringify(body.slice(0, 300))}`;

async function within<Result>(milliseconds: number, work: Promise<Result>, label: string): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`${label} has no answer after ${milliseconds} ms`)),
    milliseconds,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The columns of the database in the workspace, with values that rows have. */
export const columns = {
  Status: ["Open", "In progress", "Done", "Not started"],
  Tags: ["red", "blue, green", "日本語"],
  Count: ["7", "-1.5", "1e3"],
  Due: ["2031-01-01", "2026-02-03T04:05:06Z"],
  Done: ["true", "false"],
  "Size (m)": ["3"],
  Notes: ["a note", 'with "quotes"'],
  Site: ["https://example.org/a?b=c"],
  "a = b": ["1"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The id of the database. */
export const databaseId = nodeId(3);

const values = Object.values(columns);
const rowFields = (row: number) =>
  Object.fromEntries(
    Object.keys(columns).map((name, at) => {
      const choice = values[at] ?? [];
      return [JSON.stringify(name), JSON.stringify(choice[row % choice.length])];
    }),
  );

/** Pages with the ids that requests name, beside the linked ones. */
const groundFiles: Readonly<Record<string, string>> = {
  "secret.md": markdownPage(
    "Secret page",
    `# Secret\n\nA secret plan for the moon landing: [the second](page-2.md), [[Page 4]] and ${canary}.\n\n${"## Part\n\nWords of a secret page shine.\n\n".repeat(100)}`,
    { id: nodeId(1) },
  ),
  "page-2.md": markdownPage("Page 2", `Back to [[Secret page]], and [[Nowhere]]. ${canary}`, {
    id: nodeId(2),
  }),
  "alpha/_database.yml": `id: ${databaseId}\ntitle: Alpha\nproperties:
  Status: { type: status, options: [Open, In progress, Done, Not started] }
  Tags: { type: multi_select, options: [red, "blue, green", 日本語] }
  Count: { type: number }
  Due: { type: date }
  Done: { type: checkbox }
  "Size (m)": { type: number }
  Notes: { type: rich_text }
  Site: { type: url }
  "a = b": { type: rich_text }
  Beside: { type: relation, database: . }
`,
  "page-4.md": markdownPage("Page 4", `${"> ".repeat(20)}${"- [a](secret.md) **b** `c` ".repeat(20)}`, {
    id: nodeId(4),
  }),
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, row) => [
      `alpha/row-${row}.md`,
      markdownPage(`Row ${row}`, "A row.", { ...rowFields(row), Beside: `row-${(row + 1) % 40}.md` }),
    ]),
  ),
};
