import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type CreatedToken, type ServiceTokenList, scopeNames } from "@clew/contract";
import { call } from "../support/call.ts";
import { clientOf, readWorkspaces, type SignedIn } from "../support/session.ts";

/** The acknowledgements of an instance about a service token. A revocation without an answer may have happened or not. */
interface Entry {
  readonly id: number;
  readonly token: string;
  state: "created" | "in doubt" | "revoked";
}

/** Milliseconds between two steps of a worker. */
const pauseMs = 20;

/** Workers that create, use and revoke service tokens over several instances, and remember what was acknowledged. */
export interface Load {
  /** Answers since the start: those that succeeded, and those of 503. */
  readonly counts: { succeeded: number; unavailable: number };
  /** Acknowledged writes. */
  readonly writes: () => number;
  /** The time of each worker's last acknowledged write, in milliseconds of `performance.now`. */
  readonly lastWrites: readonly number[];
  /** While true, a request that begins and is let in is a fault. */
  isDatabaseAway: boolean;
  /** Rejects with the first fault. */
  readonly running: Promise<unknown>;
  stop(): Promise<void>;
  /** Compares all instances with what was acknowledged, and revokes what is left. Throws at a difference. */
  verify(): Promise<void>;
}

export async function startLoad(
  urls: readonly [URL, ...URL[]],
  session: SignedIn,
  workers: number,
): Promise<Load> {
  const [first] = urls;
  const workspaces = (await readWorkspaces(first, session)).map(({ id }) => id);
  const ledger: Entry[] = [];
  const counts = { succeeded: 0, unavailable: 0 };
  const lastWrites = Array.from({ length: workers }, () => 0);
  let writes = 0;
  let turn = 0;
  let isStopping = false;

  /** Null if the service was unavailable. */
  async function request<Body>(path: string, options: Parameters<typeof call>[2]) {
    turn += 1;
    const wasAway = load.isDatabaseAway;
    const answer = await call<Body>(urls[turn % urls.length] ?? first, path, options);
    assert.ok(!wasAway || !load.isDatabaseAway || answer.status === 503, `${path} got in: ${answer.status}`);
    if (answer.status === 503) counts.unavailable += 1;
    else counts.succeeded += 1;
    return answer.status === 503 ? null : answer;
  }

  async function work(worker: number): Promise<void> {
    const acknowledged = () => {
      writes += 1;
      lastWrites[worker] = performance.now();
    };
    const body = { name: `worker ${worker}`, scopes: scopeNames, workspace_ids: workspaces };
    while (!isStopping) {
      await sleep(pauseMs);
      const created = await request<CreatedToken>("api/tokens/", {
        method: "POST",
        token: session.access,
        body,
      });
      // Tokens that were created without an answer count too.
      if (created?.status === 409) await revokeUnknown();
      if (created?.status !== 201) {
        assert.ok(created === null || created.status === 409, `creation answered ${created?.status}`);
        continue;
      }
      const entry: Entry = { id: created.body.id, token: created.body.token, state: "created" };
      ledger.push(entry);
      acknowledged();
      const used = await request("api/v1/token/", { token: entry.token });
      assert.ok(used === null || used.status === 200, `a new token was answered ${used?.status}`);
      entry.state = "in doubt";
      const revoked = await request(`api/tokens/${entry.id}/`, { method: "DELETE", token: session.access });
      if (revoked === null) continue;
      assert.equal(revoked.status, 204);
      entry.state = "revoked";
      acknowledged();
      const late = await request("api/v1/token/", { token: entry.token });
      assert.ok(late === null || late.status === 401, `a revoked token was answered ${late?.status}`);
    }
  }

  /** Revokes usable tokens that no worker is using, so that there is room for new ones. */
  async function revokeUnknown(): Promise<void> {
    const list = await request<ServiceTokenList>("api/tokens/?limit=100", { token: session.access });
    const inUse = new Set(ledger.slice(-workers).map(({ id }) => id));
    for (const { id } of list?.body.items ?? []) {
      if (inUse.has(id)) continue;
      const known = ledger.find((entry) => entry.id === id);
      if (known?.state === "revoked") continue;
      if (known !== undefined) known.state = "in doubt";
      await request(`api/tokens/${id}/`, { method: "DELETE", token: session.access });
    }
  }

  /** The ids of all tokens, also of those that were revoked: a token that is lost is refused as a revoked one is. */
  async function listedIds(): Promise<ReadonlySet<number>> {
    const ids = new Set<number>();
    const tokens = clientOf(first, session).iterate("listServiceTokens", { limit: 100 });
    for await (const { id } of tokens) ids.add(id);
    return ids;
  }

  const load: Omit<Load, "running"> = {
    counts,
    writes: () => writes,
    lastWrites,
    isDatabaseAway: false,
    async stop() {
      isStopping = true;
      await running;
    },
    async verify() {
      const listed = await listedIds();
      for (const { id } of ledger) assert.ok(listed.has(id), `token ${id} was acknowledged and is lost`);
      for (const url of urls) {
        for (const { token, state, id } of ledger) {
          const { status } = await call(url, "api/v1/token/", { token });
          if (state === "created") assert.equal(status, 200, `token ${id} was acknowledged and is lost`);
          else if (state === "revoked")
            assert.equal(status, 401, `token ${id} is valid after its revocation`);
          else assert.ok(status === 200 || status === 401, `token ${id}: ${status}`);
        }
      }
      for (const { id } of ledger.filter(({ state }) => state !== "revoked"))
        await call(first, `api/tokens/${id}/`, { method: "DELETE", token: session.access });
    },
  };
  const running = Promise.all(lastWrites.map((_, worker) => work(worker)));
  // `stop` rejects as well.
  running.catch(() => {});
  return Object.assign(load, { running });
}
