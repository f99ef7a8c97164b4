import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CreatedToken, Workspace } from "@clew/contract";
import { call } from "../support/call.ts";
import type { ClewProcess, Settings } from "../support/clew-process.ts";
import { markdownPage, writeFiles, writeLinkedPages } from "../support/markdown-folder.ts";
import { type Notion, settingsFor, startNotion } from "../support/notion.ts";
import { createToken, readWorkspaces, type SignedIn, signIn, waitForSync } from "../support/session.ts";
import type { Stage } from "../support/stage.ts";
import { readWholeGraph } from "../support/whole-graph.ts";

/** The answer to a write: its status, and the code of the problem if it was refused. */
export interface Written {
  readonly status: number;
  readonly code: string | undefined;
}

/** A Clew that has synced linked pages from a stand-in, and a person with a service token. */
export class Ground {
  readonly notion: Notion;
  clew: ClewProcess;
  readonly #stage: Stage;
  readonly #pages: string;
  readonly #settings: Settings;
  #session: SignedIn;
  #token = "";
  #edits = 0;

  private constructor(
    parts: { stage: Stage; notion: Notion; pages: string; settings: Settings },
    clew: ClewProcess,
    session: SignedIn,
  ) {
    this.#stage = parts.stage;
    this.notion = parts.notion;
    this.#pages = parts.pages;
    this.#settings = parts.settings;
    this.clew = clew;
    this.#session = session;
  }

  /** `settingsOf` returns more settings of the Clew, once the provider is known. */
  static async open(
    stage: Stage,
    settingsOf: (notion: Notion) => Settings | Promise<Settings>,
  ): Promise<Ground> {
    const pages = join(stage.folder, "pages");
    await writeLinkedPages(pages, 60);
    const notion = await startNotion(stage, pages, { followFolder: false, rateLimit: 1_000_000 });
    const settings = { ...settingsFor(notion), ...(await settingsOf(notion)) };
    const clew = await stage.start(settings);
    const session = await signIn(clew.url);
    await waitForSync(clew.url, session);
    const ground = new Ground({ stage, notion, pages, settings }, clew, session);
    ground.#token = (await createToken(clew.url, session, "of the outage")).token;
    return ground;
  }

  /** Starts Clew again. Does not wait until it is ready. */
  async spawn(): Promise<void> {
    this.clew = await this.#stage.spawn({ ...this.#settings, PORT: String(this.clew.port) });
  }

  /** Starts Clew again, and signs in: access tokens last for minutes. */
  async restart(): Promise<void> {
    await this.spawn();
    await this.clew.ready();
    await this.signIn();
  }

  async signIn(): Promise<void> {
    this.#session = await signIn(this.clew.url);
  }

  /** The items that the service token reads: of a search for titles, of the latest pages, of a search in texts. */
  async reads(): Promise<unknown[]> {
    const paths = ["search/?q=reference&limit=5", "recent/?limit=5", "text/?q=next&limit=5"];
    const answers = paths.map(async (path) => {
      const { status, body } = await call<{ items?: unknown }>(this.clew.url, `api/v1/${path}`, {
        token: this.#token,
      });
      assert.equal(status, 200, `${path}: ${status} ${JSON.stringify(body)}`);
      // Cursors have a time of their own.
      return body.items;
    });
    return Promise.all(answers);
  }

  /** Asks for a service token. */
  async createToken(name: string): Promise<Written & { readonly id: number | undefined }> {
    const workspaces = await readWorkspaces(this.clew.url, this.#session);
    const { status, body } = await call<Partial<CreatedToken> & { code?: string }>(
      this.clew.url,
      "api/tokens/",
      {
        method: "POST",
        token: this.#session.access,
        body: {
          name,
          scopes: ["graph:read"],
          workspace_ids: workspaces.map(({ id }) => id),
          expires_in_days: 1,
        },
      },
    );
    return { status, code: body.code, id: body.id };
  }

  /** The names of the person's tokens. */
  async tokenNames(): Promise<readonly string[]> {
    const { body } = await call<{ items: { name: string }[] }>(this.clew.url, "api/tokens/?limit=100", {
      token: this.#session.access,
    });
    return body.items.map(({ name }) => name);
  }

  /** Edits a page at the provider. */
  async edit(): Promise<void> {
    this.#edits += 1;
    const text = markdownPage("Reference edited", `Edit ${this.#edits}.`, {
      updated: new Date().toISOString(),
    });
    await writeFiles(this.#pages, { "edited.md": text });
    await this.notion.reload();
  }

  /** Whether the graph has the latest edit. */
  async showsEdit(): Promise<boolean> {
    const found = await call<{ items: { hits: { snippet: string }[] }[] }>(
      this.clew.url,
      `api/v1/text/?q=${encodeURIComponent(`"Edit ${this.#edits}"`)}`,
      { token: this.#token },
    );
    return found.status === 200 && found.body.items.length > 0;
  }

  async requestSync(): Promise<Written> {
    const { id } = await this.workspace();
    const path = `api/provider-graph/workspaces/${id}/sync/`;
    const { status, body } = await call(this.clew.url, path, { method: "POST", token: this.#session.access });
    return { status, code: body.code };
  }

  async workspace(): Promise<Workspace> {
    const [workspace] = await readWorkspaces(this.clew.url, this.#session);
    assert.ok(workspace, "the person has a workspace");
    return workspace;
  }

  /** Waits until no sync is due or runs, and returns the workspace. */
  async settled(withinMs: number): Promise<Workspace> {
    const until = performance.now() + withinMs;
    for (;;) {
      const workspace = await this.workspace();
      if (!["queued", "running"].includes(workspace.sync.state)) return workspace;
      assert.ok(performance.now() < until, `still ${workspace.sync.state} after ${withinMs} ms`);
      await sleep(200);
    }
  }

  /** Asserts that the graph is that of a new Clew which syncs the provider as it is now. */
  async assertSameAsNew(): Promise<void> {
    const other = await this.#stage.start({
      ...settingsFor(this.notion),
      DATA_DIR: join(this.#stage.folder, `new-${this.#edits}`),
    });
    const session = await signIn(other.url);
    await waitForSync(other.url, session);
    const expected = await readWholeGraph(other.url, session.access);
    await other.kill();
    // Which requests another sync.
    await this.signIn();
    await this.settled(120_000);
    assert.deepEqual(await readWholeGraph(this.clew.url, this.#session.access), expected);
  }
}
