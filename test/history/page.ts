import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Content, WorkspaceList } from "@clew/contract";
import { clientOf, readWorkspaces, type SignedIn, waitForSync } from "../support/session.ts";
import { ask, operationOf, type Turn } from "./ask.ts";
import type { KeyHistory } from "./history.ts";
import { type PageCall, type PageState, pageModel } from "./models.ts";

/** Milliseconds in which a requested sync has to end, whatever happens to its worker: SYNC-9 gives a minute to take it over. */
const syncTimeoutMs = 120_000;

/** One page that is edited at the provider, synced on request, and read at every instance. */
export class Page {
  readonly #session: SignedIn;
  readonly #key: KeyHistory<PageState, PageCall, number>;
  readonly #edit: (text: string) => Promise<void>;
  #id = "";
  #workspaceId = "";
  #version = 0;
  #isEditing = false;

  /** `session` is never ended. `edit` writes the page's text at the provider. */
  constructor(turn: Turn, session: SignedIn, edit: (text: string) => Promise<void>) {
    this.#session = session;
    this.#key = turn.history.open("the shared page", pageModel);
    this.#edit = edit;
  }

  /** Finds the page, once it has been synced for the first time. */
  async arrive({ instance }: Turn): Promise<void> {
    await waitForSync(instance.url, this.#session);
    const { items } = await clientOf(instance.url, this.#session).searchPages({ q: "Shared" });
    this.#id = items[0]?.node.id ?? "";
    this.#workspaceId = (await readWorkspaces(instance.url, this.#session))[0]?.id ?? "";
  }

  /** Writes the next version, unless one is being written. */
  async edit(turn: Turn): Promise<void> {
    if (this.#isEditing) return;
    this.#isEditing = true;
    this.#version += 1;
    const version = this.#version;
    const called = turn.history.now();
    await this.#edit(`Version ${version}.`);
    const answered = turn.history.now();
    this.#key.add({
      ...operationOf(turn, { kind: "edit", version }, { outcome: null, called, answered }),
      outcome: 0,
    });
    this.#isEditing = false;
  }

  async read(turn: Turn): Promise<void> {
    const path = `api/provider-graph/nodes/${this.#id}/content/`;
    const answer = await ask(turn, path, { token: this.#session.access });
    if (answer.outcome === null) return;
    assert.equal(answer.outcome, "200", `the page is answered ${JSON.stringify(answer.body)}`);
    const { markdown } = answer.body as Content;
    const version = Number(/Version (\d+)\./.exec(markdown ?? "")?.[1] ?? 0);
    this.#key.add({ ...operationOf(turn, { kind: "read" }, answer), outcome: version });
  }

  /** Requests a sync, and waits for its end at whatever instance `next` names. One client alone may do so. */
  async sync(turn: Turn, next: () => Turn): Promise<void> {
    const path = `api/provider-graph/workspaces/${this.#workspaceId}/sync/`;
    const { access: token } = this.#session;
    const request = await ask(turn, path, { method: "POST", token });
    if (request.outcome === null) return;
    assert.equal(request.outcome, "202", `the request is answered ${JSON.stringify(request.body)}`);
    for (;;) {
      const list = await ask(next(), "api/provider-graph/workspaces/", { token });
      const [workspace] = list.outcome === "200" ? (list.body as WorkspaceList).items : [];
      // A sync that failed, as without a database, has promised nothing.
      if (workspace?.sync.state === "failed") return;
      if (workspace?.sync.state === "idle") {
        const { called } = request;
        const { answered } = list;
        this.#key.add({
          ...operationOf(turn, { kind: "sync" }, { outcome: null, called, answered }),
          outcome: 0,
        });
        const moment = { outcome: null, called: turn.history.now(), answered: turn.history.now() };
        this.#key.add({ ...operationOf(turn, { kind: "served" }, moment), outcome: 0 });
        return;
      }
      const waited = turn.history.now() - request.called;
      assert.ok(waited < syncTimeoutMs, `a sync has not ended after ${Math.round(waited / 1000)} s`);
      await sleep(50);
    }
  }
}
