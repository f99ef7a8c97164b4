import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type CreatedToken, type Scope, scopeNames } from "@clew/contract";
import { writeFiles } from "../../support/markdown-folder.ts";
import { otherWorkspaceFiles, workspaceFiles } from "../fixture.ts";
import type { Chapter, Section } from "../section.ts";
import { get, hideId, remove, type Stage } from "../stage.ts";
import { table } from "../table.ts";

/** Values from the first section that the later ones use. */
const known = { token: "", ariadne: "", minotaur: "" };

const search: Section = {
  title: "graph:search — searching nodes by title",
  source: "§1, §2.4",
  demand: "The scope `graph:search` allows searching nodes by title.",
  async show(page, stage) {
    known.token = (await stage.createToken({ name: "agent" })).token;
    await nameNodes(stage, ["Ariadne", "Theseus", "Labyrinth", "Minotaur"]);
    const answer = await page.exchange(get("/api/v1/search/?q=ariadne", known.token));
    known.ariadne = answer.body.items[0].node.id;
    known.minotaur = (await stage.send(get("/api/v1/search/?q=minotaur", known.token))).body.items[0].node.id;
    await page.claim("only the page with that title is found", () => {
      assert.equal(answer.status, 200);
      assert.deepEqual(
        answer.body.items.map((item: { node: { title: string } }) => item.node.title),
        ["Ariadne"],
      );
    });
    await page.claim(
      "the page is also found by what else names it: the end of its id, or its URL",
      async () => {
        const { id, url } = answer.body.items[0].node;
        for (const text of [id.replaceAll("-", "").slice(-8), url, "ariadne"]) {
          const path = `/api/v1/resolve/?page=${encodeURIComponent(text)}`;
          const { body } = await stage.send(get(path, known.token));
          assert.deepEqual(
            body.items.map((node: { id: string }) => node.id),
            [id],
            text,
          );
        }
      },
    );
  },
};

const read: Section = {
  title: "graph:read — reading node details and page content",
  source: "§1, §2.4",
  demand: "The scope `graph:read` allows reading the details of nodes and the content of pages.",
  async show(page) {
    const node = await page.exchange(get(`/api/v1/nodes/${known.ariadne}/`, known.token));
    const content = await page.exchange(get(`/api/v1/nodes/${known.ariadne}/content/`, known.token));
    await page.claim("the response has the details of the node", () => {
      assert.deepEqual([node.status, node.body.id, node.body.title], [200, known.ariadne, "Ariadne"]);
    });
    await page.claim("the content is the text of the page", () => {
      assert.equal(content.status, 200);
      assert.match(content.body.markdown, /^She gave \[a hero\]\([^)]+\) a ball of thread\.$/m);
    });
  },
};

interface Item {
  readonly node: { readonly title: string };
}

const walk: Section = {
  title: "graph:neighbors — neighbouring nodes and paths",
  source: "§1, §2.4",
  demand: "The scope `graph:neighbors` allows listing neighbours and traversing paths.",
  async show(page) {
    const near = await page.exchange(get(`/api/v1/nodes/${known.minotaur}/neighbors/`, known.token));
    const query = `from=${known.ariadne}&to=${known.minotaur}&direction=out`;
    const way = await page.exchange(get(`/api/v1/paths/?${query}`, known.token));
    await page.claim("the neighbours follow from the texts and parents of the pages", () => {
      const titles = near.body.items.map(({ node }: Item) => node.title);
      assert.deepEqual(titles.toSorted(), ["Labyrinth", "Theseus"]);
    });
    await page.claim("the path follows the references from page to page", () => {
      const titles = way.body.paths[0].nodes.map(({ title }: Item["node"]) => title);
      assert.deepEqual(titles, ["Ariadne", "Theseus", "Labyrinth", "Minotaur"]);
    });
  },
};

/** Shows the ids of nodes by their titles from now on. */
async function nameNodes({ send, session, masks }: Stage, titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    const { body } = await send(get(`/api/provider-graph/search/?q=${title}`, session.access));
    hideId(masks, body.items[0].node.id, title);
  }
}

/** The operations of V1, each with the scope that the specification gives it. */
const operations = (): readonly (readonly [string, string, Scope])[] => [
  ["search nodes by title", "/api/v1/search/?q=ariadne", "graph:search"],
  ["find the page that a text names", "/api/v1/resolve/?page=ariadne", "graph:search"],
  ["read node details", `/api/v1/nodes/${known.ariadne}/`, "graph:read"],
  ["read page content", `/api/v1/nodes/${known.ariadne}/content/`, "graph:read"],
  ["get neighbouring nodes", `/api/v1/nodes/${known.ariadne}/neighbors/`, "graph:neighbors"],
  ["traverse paths", `/api/v1/paths/?from=${known.ariadne}&to=${known.minotaur}`, "graph:neighbors"],
];

const matrix: Section = {
  title: "Each scope allows its own operations",
  source: "§2.4, §5.7",
  demand: "A scope allows only the operations in its row of the table.",
  async show(page, stage) {
    const tokens: CreatedToken[] = [];
    for (const scope of scopeNames) tokens.push(await stage.createToken({ name: scope, scopes: [scope] }));
    const statuses: number[][] = [];
    for (const [, path] of operations()) {
      const row = [];
      for (const { token } of tokens) row.push((await stage.send(get(path, token))).status);
      statuses.push(row);
    }
    const rows = operations().map(([name], index) => [name, ...(statuses[index] ?? []).map(String)]);
    page.say(table(["operation", ...scopeNames.map((scope) => `only \`${scope}\``)], rows));
    await page.claim("every operation is allowed with its own scope and refused with the other two", () => {
      const wanted = operations().map(([, , scope]) =>
        scopeNames.map((name) => (name === scope ? 200 : 403)),
      );
      assert.deepEqual(statuses, wanted);
    });
    const refused = await page.exchange(get(operations()[0]?.[1] ?? "", tokens[1]?.token));
    await page.claim("the refusal names the missing scope", () => {
      assert.equal(refused.body.code, "insufficient_scope");
      assert.match(String(refused.headers["www-authenticate"]), /scope="graph:search"/);
    });
    for (const { id } of tokens) await stage.send(remove(`/api/tokens/${id}/`, stage.session.access));
  },
};

const readOnly: Section = {
  title: "V1 is read-only and takes service tokens",
  source: "§1, §5.4, §9",
  demand: "Service tokens access the read-only V1 API. It changes nothing.",
  async show(page, { send, session }) {
    const path = `/api/v1/nodes/${known.ariadne}/`;
    const answer = await page.exchange(remove(path, known.token));
    await page.claim("no path accepts a method that writes", async () => {
      assert.equal(answer.headers.allow, "GET, HEAD, OPTIONS");
      for (const [, each] of operations()) {
        for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
          assert.equal((await send({ ...get(each, known.token), method })).status, 405, `${method} ${each}`);
        }
      }
    });
    await page.claim("V1 refuses the access token of a session", async () => {
      const { status, body } = await send(get(path, session.access));
      assert.deepEqual([status, body.code], [403, "wrong_token_type"]);
    });
  },
};

const sessionDoor: Section = {
  title: "GET /api/provider-graph/",
  source: "§4",
  demand: "The graph can also be read at this path, with an access token in the `Authorization` header.",
  async show(page, { send, session }) {
    const answer = await page.exchange(get("/api/provider-graph/", session.access));
    await page.claim("it responds to a signed-in person", () => assert.equal(answer.status, 200));
    await page.claim("it refuses everyone else", async () => {
      assert.equal((await send(get("/api/provider-graph/"))).status, 401);
    });
    await page.claim("every operation below it responds as in V1", async () => {
      for (const [, path] of operations()) {
        const through = await send(get(path.replace("/api/v1/", "/api/provider-graph/"), session.access));
        const v1 = await send(get(path, known.token));
        assert.deepEqual([through.status, through.text], [200, v1.text], path);
      }
    });
  },
};

const denyByDefault: Section = {
  title: "Deny by default",
  source: "§2.3, §5.6",
  demand: "A workspace that is not in a token's `workspace_ids` is not accessible with it.",
  async show(page, stage) {
    page.say(
      "The token's owner connects a second workspace, *Closed stacks*, which the token does not name.",
    );
    const { session, id } = await connectClosedStacks(stage);
    await nameNodes({ ...stage, session }, ["Daedalus"]);
    const daedalus = await stage.send(get("/api/provider-graph/search/?q=daedalus", session.access));
    const hidden: string = daedalus.body.items[0].node.id;
    await page.claim("the owner's session sees both workspaces", async () => {
      const { body } = await stage.send(get("/api/provider-graph/workspaces/", session.access));
      assert.equal(body.items.length, 2);
      assert.equal(daedalus.body.items[0].node.workspace_id, id);
    });
    const asked = await page.exchange(get(`/api/v1/search/?q=daedalus&workspace_id=${id}`, known.token));
    await page.claim("a request for the workspace by its id is refused", () => {
      assert.deepEqual([asked.status, asked.body.code], [403, "workspace_not_allowed"]);
    });
    const node = await page.exchange(get(`/api/v1/nodes/${hidden}/`, known.token));
    await page.claim("for the token its pages do not exist in any operation", async () => {
      assert.deepEqual([node.status, node.body.code], [404, "node_not_found"]);
      for (const path of [
        `nodes/${hidden}/content/`,
        `nodes/${hidden}/neighbors/`,
        `paths/?from=${hidden}&to=${hidden}`,
      ]) {
        assert.equal((await stage.send(get(`/api/v1/${path}`, known.token))).status, 404, path);
      }
    });
    await page.claim(
      "a search finds none of its pages, and the list of workspaces does not contain it",
      async () => {
        assert.deepEqual((await stage.send(get("/api/v1/search/?q=daedalus", known.token))).body.items, []);
        const { body } = await stage.send(get("/api/v1/workspaces/", known.token));
        assert.deepEqual(
          body.items.map(({ name }: { name: string }) => name),
          ["Reading room"],
        );
      },
    );
    await page.claim("the token can still read its own workspace", async () => {
      assert.equal((await stage.send(get(`/api/v1/nodes/${known.ariadne}/`, known.token))).status, 200);
    });
  },
};

/** Replaces the workspace by another one, and connects the token's owner to it. */
async function connectClosedStacks(stage: Stage) {
  for (const path of Object.keys(workspaceFiles)) await rm(join(stage.folder, path));
  await writeFiles(stage.folder, otherWorkspaceFiles);
  // The provider reads its folder again when a sync begins.
  await stage.signIn("VISITOR", { person: "Visitor" });
  const session = await stage.signIn("SECOND");
  const { body } = await stage.send(get("/api/auth/me/", session.access));
  const connected: { id: string; name: string }[] = body.workspaces;
  const id = connected.find(({ name }) => name === "Closed stacks")?.id;
  assert.ok(id, "the second workspace is connected");
  return { session, id };
}

export const graphChapter: Chapter = {
  title: "Reading the graph",
  sections: [search, read, walk, matrix, readOnly, sessionDoor, denyByDefault],
};
