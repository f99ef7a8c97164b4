import assert from "node:assert/strict";
import { type Random, seededRandom } from "@clew/stand-in/testing/random";
import { type HeldBack, holdBack } from "../support/held-back.ts";
import { bearer, get, type Reader, type Surface, withJson } from "./surface.ts";

/** Every write of a session. Each request has a body, even if the route does not need one. */
const writes: readonly (readonly [method: string, path: string, body: (reader: Reader) => unknown])[] = [
  [
    "POST",
    "/api/tokens/",
    ({ workspace }) => ({ name: "x", scopes: ["graph:read"], workspace_ids: [workspace.id] }),
  ],
  ["POST", "/api/tokens/TOKEN/rotate/", () => ({ overlap_hours: 1 })],
  ["DELETE", "/api/tokens/TOKEN/", () => ({})],
  ["POST", "/api/auth/logout/", ({ refresh }) => ({ refresh })],
  ["DELETE", "/api/auth/sessions/", () => ({})],
  ["DELETE", "/api/auth/sessions/OTHER/", () => ({})],
  ["POST", "/api/provider-graph/workspaces/WORKSPACE/sync/", () => ({})],
  ["PATCH", "/api/provider-graph/workspaces/WORKSPACE/", () => ({ tags: true })],
  ["DELETE", "/api/provider-graph/workspaces/WORKSPACE/", () => ({})],
  ["DELETE", "/api/auth/me/", () => ({})],
];

/**
 * Holds back every write of a session at a random byte of its body, ends the session in one of the possible ways, and
 * sends the rest in a random order. Throws unless all are refused and nothing changes (SESS-4).
 */
export async function holdWritesOverTheEnd(surface: Surface, seed: number): Promise<void> {
  const { clew, send, signIn, createToken } = surface;
  const random = seededRandom(seed);
  const [ending, staying] = [await signIn(), await signIn()];
  const { id } = await createToken(staying);
  const [own, other] = [await sessionId(surface, ending), await sessionId(surface, staying)];

  const held: [name: string, request: HeldBack][] = [];
  for (const [method, pattern, bodyOf] of writes) {
    const path = pattern
      .replace("TOKEN", String(id))
      .replace("OTHER", other)
      .replace("WORKSPACE", ending.workspace.id);
    const body = JSON.stringify(bodyOf(ending));
    const heldBytes = 1 + Math.floor(random() * body.length);
    const request = { method, path, token: ending.access, body, heldBytes };
    held.push([
      `${method} ${pattern}, ${heldBytes} bytes held`,
      await holdBack(Number(clew.url.port), request),
    ]);
  }

  const ends = [
    () =>
      send({
        method: "POST",
        path: "/api/auth/logout/",
        ...withJson({ refresh: ending.refresh }, ending.access),
      }),
    () => send({ method: "DELETE", path: "/api/auth/sessions/", headers: bearer(staying.access) }),
    () => send({ method: "DELETE", path: `/api/auth/sessions/${own}/`, headers: bearer(staying.access) }),
  ];
  const answer = await ends[Math.floor(random() * ends.length)]?.();
  assert.equal(answer?.status, 204);

  const before = await stateOf(surface, staying);
  for (const [name, { finish }] of shuffled(held, random)) {
    const { status, body } = await finish();
    assert.deepEqual([status, JSON.parse(body).code], [401, "token_revoked"], name);
  }
  assert.deepEqual(await stateOf(surface, staying), before);
  await send({ method: "DELETE", path: `/api/tokens/${id}/`, headers: bearer(staying.access) });
}

async function sessionId({ send }: Surface, { access }: Reader): Promise<string> {
  return (await get(send, "/api/auth/validate/", access)).body.session_id;
}

/** Everything that sessions write, as the user can read it. */
async function stateOf({ send }: Surface, { access }: Reader): Promise<unknown> {
  const paths = ["/api/tokens/", "/api/auth/sessions/", "/api/provider-graph/workspaces/"];
  return Promise.all(paths.map(async (path) => (await get(send, path, access)).body));
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}
