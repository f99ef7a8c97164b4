import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Content, WorkspaceList } from "@clew/contract";
import { giveConsent } from "@clew/stand-in/testing";
import { signIn } from "../../scripts/tour/sign-in.ts";
import { ask, operationOf, type Turn } from "../history/ask.ts";
import type { History, KeyHistory } from "../history/history.ts";
import { type PageCall, type PageState, pageModel } from "../history/models.ts";
import type { SignedIn } from "../support/session.ts";
import type { PageEdit } from "./provider.ts";

/** A person and the pages that they share. */
export interface Sharer {
  readonly name: string;
  /** Titles of pages at the top; the default of the consent screen if left out. */
  readonly pages?: readonly string[];
}

/** Milliseconds in which a requested sync ends, with as many interruptions as there are. */
const syncTimeoutMs = 3_600_000;

/** Milliseconds in which an instance builds a small graph. */
const rebuildMs = 1_000;

/** A person who syncs, reads the page that all people share, and tries what another person has for themselves. */
export class Reader {
  readonly #sharer: Sharer;
  readonly #key: KeyHistory<PageState, PageCall, number>;
  readonly #sharedId: string;
  readonly #foreignId: string;
  #session: SignedIn | null = null;
  #workspaceId = "";

  /** The id of a page that this person does not share, and no answer may show. */
  constructor(history: History, sharer: Sharer, ids: { readonly shared: string; readonly foreign: string }) {
    this.#sharer = sharer;
    this.#sharedId = ids.shared;
    this.#foreignId = ids.foreign;
    this.#key = history.open(`the page that ${sharer.name} shares`, pageModel);
  }

  /** Signs in, also to connect again. Tries until it succeeds. */
  async arrive(next: () => Turn): Promise<void> {
    for (;;) {
      const turn = next();
      const opened = await signInAt(turn, this.#sharer);
      if (opened !== null) this.#session = opened;
      if (opened !== null && (await this.#workspace(next())) !== null) return;
      await sleep(1_000);
    }
  }

  /** Notes an edit of the shared page. */
  noteEdit({ version, called, answered }: PageEdit): void {
    const edit = { kind: "edit", version: version + 1 } as const;
    this.#key.add({
      client: "the provider",
      instance: "the provider",
      call: edit,
      outcome: 0,
      called,
      answered,
    });
  }

  /** Reads the shared page. Without a text, it is as before the first edit. */
  async read(turn: Turn): Promise<void> {
    const answer = await this.#ask(turn, `nodes/${this.#sharedId}/content/`);
    if (answer.outcome === null) return;
    const isFound = answer.outcome === "200";
    assert.ok(
      isFound || answer.outcome === "node_not_found",
      `the page is answered ${JSON.stringify(answer.body)}`,
    );
    // The contract's answer.
    const { markdown } = answer.body as Content;
    const version = isFound ? /Version (\d+) of/.exec(markdown ?? "")?.[1] : undefined;
    const outcome = version === undefined ? 0 : Number(version) + 1;
    this.#key.add({ ...operationOf(turn, { kind: "read" }, answer), outcome });
  }

  /** Asks for a page of another person. */
  async trespass(turn: Turn): Promise<void> {
    for (const path of ["", "content/"]) {
      const { outcome } = await this.#ask(turn, `nodes/${this.#foreignId}/${path}`);
      assert.notEqual(outcome, "200", "a person reads a page of another one");
    }
  }

  /** Requests a sync, and waits until it ends at whatever instance `next` names. Returns its outcome; null if it did not begin. */
  async sync(next: () => Turn, { full = false } = {}): Promise<string | null> {
    const turn = next();
    const path = `workspaces/${this.#workspaceId}/sync/${full ? "?full=true" : ""}`;
    const request = await this.#ask(turn, path, "POST");
    if (request.outcome === "conflict") await this.arrive(next);
    if (request.outcome !== "202") return null;
    for (;;) {
      const listed = await this.#workspace(next());
      if (listed?.sync.state === "failed") return "failed";
      if (listed?.sync.state === "idle") {
        if (listed.sync.outcome !== "complete") return listed.sync.outcome;
        const { called } = request;
        const { answered } = listed;
        const none = { outcome: null, called, answered };
        this.#key.add({ ...operationOf(turn, { kind: "sync" }, none), outcome: 0 });
        const moment = { outcome: null, called: turn.history.now(), answered: turn.history.now() };
        this.#key.add({ ...operationOf(turn, { kind: "served" }, moment), outcome: 0 });
        return "complete";
      }
      const waited = turn.history.now() - request.called;
      assert.ok(waited < syncTimeoutMs, `a sync has not ended after ${Math.round(waited / 1000)} s`);
      await sleep(1_000);
    }
  }

  /** Everything that the person reads at an instance, a line for each part. */
  async graph({ instance }: Turn): Promise<readonly string[]> {
    const headers = { authorization: `Bearer ${this.#session?.access}` };
    const address = new URL("api/provider-graph/export/?text=true", instance.url);
    // An instance serves the graph that it has while it builds the one that another has published.
    await (await fetch(address, { headers })).text();
    await sleep(rebuildMs);
    const answer = await fetch(address, { headers });
    assert.equal(answer.status, 200);
    return (await answer.text()).trim().split("\n").sort();
  }

  async #workspace(turn: Turn) {
    const answer = await this.#ask(turn, "workspaces/");
    if (answer.outcome !== "200") return null;
    // The contract's answer.
    const [workspace] = (answer.body as WorkspaceList).items;
    if (workspace === undefined) return null;
    this.#workspaceId = workspace.id;
    return { ...workspace, answered: answer.answered };
  }

  #ask(turn: Turn, path: string, method = "GET") {
    return ask(turn, `api/provider-graph/${path}`, { method, token: this.#session?.access ?? "" });
  }
}

/** Signs in at an instance; null if that fails. */
async function signInAt({ instance }: Turn, { name, pages }: Sharer): Promise<SignedIn | null> {
  const choice = { person: name, ...(pages && { pages }) };
  return signIn(instance.url, async (authorizationUrl) => {
    const callback = new URL(await giveConsent(authorizationUrl, choice));
    // Any instance may finish what another one began.
    callback.host = instance.url.host;
    return callback.href;
  }).catch(() => null);
}
