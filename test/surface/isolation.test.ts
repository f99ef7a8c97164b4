import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { WorkspaceList } from "@clew/contract";
import { share } from "@clew/stand-in/testing/share";
import type { RawAnswer } from "../support/raw-request.ts";
import { folders } from "./shared-folders.ts";
import { bearer, get, openSurface, type Reader, type Surface, withJson } from "./surface.ts";
import { type Audience, look, type View } from "./view.ts";

// Two people of one workspace. Each shares one folder, and both share a third, whose pages link to the other two. Each
// person's graph must end at the pages that only the other one shares.

const unique = {
  east: [folders.east, "Atlas of islands", "Compass roses", "Maps", "Northern waters", "Southern waters"],
  west: [folders.west, "Botany of dunes", "Mosses", "Herbs", "Thyme"],
};
const common = [folders.hall, "Catalogue"];
const titles = [...unique.east, ...unique.west, ...common];
const unknownId = "0b1f2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

interface Person {
  readonly reader: Reader;
  readonly audiences: readonly Audience[];
  /** The data that they can read as each audience. */
  readonly views: readonly View[];
  readonly own: readonly string[];
  readonly others: readonly string[];
}

let surface: Surface;
let librarian: Person;
let visitor: Person;

before(async () => {
  surface = await openSurface();
  librarian = await enter("Librarian", "east", "west");
  visitor = await enter("Visitor", "west", "east");
});
after(() => surface.close());

async function enter(
  person: string,
  mine: keyof typeof unique,
  theirs: keyof typeof unique,
): Promise<Person> {
  const reader = await surface.signIn({ person, pages: [folders[mine], folders.hall] });
  const { token } = await surface.createToken(reader, { name: `a token of the ${person}` });
  const audiences: Audience[] = [
    { base: "/api/provider-graph", token: reader.access },
    { base: "/api/v1", token },
  ];
  const views: View[] = [];
  for (const audience of audiences) views.push(await look(surface.send, audience, titles));
  return { reader, audiences, views, own: [...unique[mine], ...common], others: unique[theirs] };
}

/** Each person paired with the other one. */
const pairs = () => [
  { self: librarian, other: visitor },
  { self: visitor, other: librarian },
];

/** The ids of pages that only this person shared. */
function secretIds({ views, own }: Person): string[] {
  return own.filter((title) => !common.includes(title)).map((title) => views[0]?.ids.get(title) ?? "");
}

test("GRAPH-10: both are connected to one workspace, and each finds only what they shared", () => {
  assert.equal(librarian.reader.workspace.id, visitor.reader.workspace.id);
  for (const { self } of pairs()) {
    for (const { ids } of self.views) assert.deepEqual([...ids.keys()].sort(), [...self.own].sort());
  }
  for (const title of common)
    assert.equal(librarian.views[0]?.ids.get(title), visitor.views[0]?.ids.get(title));
});

test("GRAPH-10: no response contains the other's titles, and their ids only in texts and unresolved references", () => {
  for (const { self, other } of pairs()) {
    const secrets = secretIds(other);
    assert.ok(secrets.length >= 5 && secrets.every((id) => id !== ""));
    for (const [path, { text, body }] of self.views.flatMap(({ answers }) => [...answers])) {
      for (const title of self.others) assert.ok(!text.includes(title), `${path} reveals ${title}: ${text}`);
      const { markdown: _, unresolved: __, ...rest } = body ?? { text };
      const answer = JSON.stringify(rest);
      for (const id of secrets) assert.ok(!answer.includes(id), `${path} reveals ${id}: ${answer}`);
    }
  }
});

test("GRAPH-4: a reference to a page that only the other shared is unresolved and contains only its id", () => {
  for (const { self, other } of pairs()) {
    const secrets = new Set(secretIds(other));
    for (const { details } of self.views) {
      const unresolved = details.flatMap((detail) => detail.unresolved);
      assert.ok(unresolved.length >= 5, "the folders link to each other");
      for (const reference of unresolved) {
        assert.ok(secrets.has(reference.target_id), `${reference.target_id} is not a page of the other`);
        assert.deepEqual(Object.keys(reference).sort(), ["count", "name", "target_id", "type"]);
      }
    }
  }
});

test("GRAPH-1: counts, degrees and walks include nothing of the other's", () => {
  for (const { self } of pairs()) {
    for (const { answers, details, edges } of self.views) {
      const { items }: WorkspaceList = answers.get("/workspaces/")?.body ?? {};
      // The routes of the graph omit the catalogue's link to itself.
      const sizes = items.map((workspace) => [workspace.nodes, workspace.edges]);
      assert.deepEqual(sizes, [[self.own.length, edges.length]]);
      for (const { id, degree, title } of details) {
        const between = edges.filter(({ from, to }) => from !== to);
        const counted = {
          in: between.filter(({ to }) => to === id).length,
          out: between.filter(({ from }) => from === id).length,
        };
        assert.deepEqual(degree, counted, title);
      }
      const walks = [...answers].filter(([path]) => path.includes("/neighbors/"));
      for (const [path, { body }] of walks) {
        assert.ok(body.visited <= self.own.length, `${path} visited more than there is`);
      }
    }
  }
});

test("GRAPH-10: both audiences of one person see the same", () => {
  for (const { self } of pairs()) {
    const [session, token] = self.views;
    // A cursor belongs to one audience.
    const shown = (answer?: RawAnswer) => answer?.text.replace(/"next_cursor":"[^"]+"/, "");
    for (const [path, answer] of session?.answers ?? []) {
      if (path !== "/") assert.equal(shown(token?.answers.get(path)), shown(answer), path);
    }
  }
});

/** Every request that names a node. */
function requestsFor(id: string, ownId: string): string[] {
  const undashed = id.replaceAll("-", "");
  return [
    `/nodes/${id}/`,
    `/nodes/${undashed}/`,
    `/nodes/${id.toUpperCase()}/`,
    `/nodes/${id}/content/`,
    `/nodes/${id}/content/?offset=1&max_chars=1`,
    `/nodes/${id}/neighbors/`,
    `/nodes/${id}/neighbors/?direction=in&edge_type=child&depth=3`,
    `/nodes/${id}/related/?linked=true`,
    `/tree/?under=${id}`,
    `/search/?under=${undashed}&is=-row`,
    `/nodes/?ids=${id}`,
    `/nodes/?ids=${ownId},${undashed}`,
    `/edges/?ids=${ownId},${undashed}`,
    `/paths/?from=${ownId}&to=${id}`,
    `/paths/?from=${id}&to=${ownId}`,
    `/paths/?from=${id}&to=${id}`,
    `/search/?q=${id}`,
    `/resolve/?page=${id}`,
    `/resolve/?page=${undashed.slice(-8)}`,
    `/text/?q=${id}`,
    `/context/?id=${id}`,
    `/text/?q=the&under=${id}`,
  ];
}

/** A response without its request id and without the requested node's id. */
function masked({ status, headers, text }: RawAnswer, nodeId?: string): unknown {
  const { date: _, "x-request-id": requestId, ...rest } = headers;
  const maskedText = text.replaceAll(String(requestId), "<request>");
  return { status, rest, text: nodeId === undefined ? maskedText : maskedText.replaceAll(nodeId, "<id>") };
}

test("GRAPH-10: responses for the other's pages are byte for byte those for pages that do not exist", async () => {
  for (const { self, other } of pairs()) {
    const ownId = self.views[0]?.ids.get("Catalogue") ?? "";
    const unknown = requestsFor(unknownId, ownId);
    for (const { base, token } of self.audiences) {
      for (const id of share(`refusals at ${base}: pages`, secretIds(other), 2)) {
        for (const [index, path] of requestsFor(id, ownId).entries()) {
          for (const method of ["GET", "HEAD"]) {
            const ask = (path: string) => surface.send({ method, path: base + path, headers: bearer(token) });
            const [refusal, expected] = await Promise.all([ask(path), ask(unknown[index] ?? "")]);
            assert.deepEqual(masked(refusal, id), masked(expected, unknownId), `${method} ${path}`);
          }
        }
      }
    }
  }
});

test("GRAPH-12: a cursor of one person is invalid for the other", async () => {
  for (const { self, other } of pairs()) {
    const shared = self.views[0]?.ids.get(folders.hall) ?? "";
    for (const [index, { base, token }] of self.audiences.entries()) {
      const theirs = other.audiences[index]?.token ?? "";
      const lists = [
        "/search/?q=a&limit=1",
        "/search/?sort=title&limit=1",
        "/tree/?limit=1",
        `/nodes/${shared}/neighbors/?limit=1`,
        "/changes/?limit=1",
      ];
      for (const list of lists) {
        const { body } = await get(surface.send, base + list, token);
        const next = `${base}${list}&cursor=${body.next_cursor}`;
        assert.equal((await get(surface.send, next, token)).status, 200, next);
        const refused = await get(surface.send, next, theirs);
        assert.equal(`${refused.status} ${refused.body.code}`, "400 invalid_cursor", next);
      }
    }
  }
});

test("TOK-7: people cannot list, revoke or page through each other's tokens", async () => {
  for (const { self, other } of pairs()) {
    await surface.createToken(self.reader, { name: "a second token" });
    const list = await get(surface.send, "/api/tokens/?limit=1", self.reader.access);
    const next = `/api/tokens/?limit=1&cursor=${list.body.next_cursor}`;
    assert.equal((await get(surface.send, next, self.reader.access)).status, 200);
    assert.equal((await get(surface.send, next, other.reader.access)).body.code, "invalid_cursor");

    const mine: { id: number; prefix: string }[] = (
      await get(surface.send, "/api/tokens/", self.reader.access)
    ).body.items;
    const theirs = await get(surface.send, "/api/tokens/", other.reader.access);
    for (const { id, prefix } of mine) {
      assert.ok(!theirs.text.includes(prefix));
      const revoke = (which: number) =>
        surface.send({
          method: "DELETE",
          path: `/api/tokens/${which}/`,
          headers: bearer(other.reader.access),
        });
      const [refusal, expected] = await Promise.all([revoke(id), revoke(999_999)]);
      assert.equal(refusal.status, 404);
      assert.deepEqual(masked(refusal), masked(expected));
    }
    for (const { base, token } of self.audiences) {
      assert.equal((await get(surface.send, `${base}/`, token)).status, 200, "a token was revoked");
    }
  }
});

test("SESS-4: people cannot end each other's sessions or see who the other is", async () => {
  for (const { self, other } of pairs()) {
    const logout = withJson({ refresh: other.reader.refresh }, self.reader.access);
    const answer = await surface.send({ method: "POST", path: "/api/auth/logout/", ...logout });
    assert.equal(answer.status, 400);
    for (const path of ["/api/auth/me/", "/api/auth/validate/", "/api/integrations/auth/provider/status"]) {
      const [mine, theirs] = await Promise.all([
        get(surface.send, path, self.reader.access),
        get(surface.send, path, other.reader.access),
      ]);
      assert.deepEqual([mine.status, theirs.status], [200, 200], path);
    }
    const me = await get(surface.send, "/api/auth/me/", self.reader.access);
    const them = await get(surface.send, "/api/auth/me/", other.reader.access);
    assert.notEqual(me.body.id, them.body.id);
    for (const secret of [them.body.id, them.body.name, them.body.email])
      assert.ok(!me.text.includes(secret));
  }
});
