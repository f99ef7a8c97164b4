import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type PageFilters, pageFilters } from "@clew/contract";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import { type SeededPage, serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";
const ada = { id: "ada", name: null };

const late = { updatedAt: Date.UTC(2001, 0), createdAt: Date.UTC(2001, 0) };
const between = { updatedAt: Date.UTC(1990, 0), createdAt: Date.UTC(1990, 0) };
const text = "A license is needed.";

/** The pages that match; of all workspaces, there are two that each filter leaves. */
const pages: readonly SeededPage[] = [
  { number: 1, given: { title: "License", createdBy: ada, ...late }, text },
  {
    number: 2,
    given: { title: "License terms", parentId: nodeId(1), createdBy: ada, ...late },
    text,
  },
  { number: 3, given: { title: "License catalogue", type: "database" }, references: [referenceTo(4)], text },
  { number: 4, given: { title: "License databases", type: "database" }, text },
];
const others: readonly SeededPage[] = [5, 6].map((number) => ({
  number,
  given: { title: `License ${number}`, type: "tag" as const, ...between },
  text,
}));

/** A value of each filter that leaves two pages, and one that leaves none. */
const filters: { readonly [Name in keyof PageFilters]-?: readonly [some: string, none: string] } = {
  workspace_id: [other, other],
  type: ["database", "tag"],
  under: [nodeId(1), nodeId(9)],
  updated_after: ["2000-01-01", "2002-01-01"],
  updated_before: ["1980-01-01", "1969-01-01"],
  created_after: ["2000-01-01", "2002-01-01"],
  created_before: ["1980-01-01", "1969-01-01"],
  by: ["ada", "bo"],
  is: ["-orphan", "row"],
};

async function open(t: TestContext) {
  const server = await serveGraphs(t, undefined, { withTexts: true });
  const owner = await server.person("owner");
  await owner.connect(workspace, [
    ...pages,
    // Of these words, but no license.
    { number: 9, given: { title: "Alone", createdBy: { id: "bo", name: null } }, text: "Nothing else." },
  ]);
  await owner.connect(other, others);
  return owner.token({ workspaceIds: [workspace, other] });
}

const lists = ["/search/?q=license", "/search/?q=license&sort=title", "/text/?q=license"];

test("GRAPH-12, GRAPH-19: every filter of the contract is read, and a cursor goes on with the filter that it was given for alone", async (t) => {
  const token = await open(t);
  for (const list of lists) {
    const all = await token.get(list);
    assert.equal(all.body.items.length, 6, all.text);
    for (const name of Object.keys(pageFilters) as (keyof PageFilters)[]) {
      const filtered = `${list}&limit=1&${name}=${filters[name][0]}`;
      const { body } = await token.get(filtered);
      assert.equal(body.items.length, 1, filtered);
      const { body: rest } = await token.get(`${filtered}&cursor=${body.next_cursor}`);
      assert.deepEqual([rest.items.length, rest.next_cursor], [1, null], filtered);
      const elsewhere = await token.get(`${list}&limit=1&cursor=${body.next_cursor}`);
      assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, "invalid_cursor"], filtered);
    }
  }
});

test("GRAPH-37: where filters alone leave nothing, a list says how many match without them", async (t) => {
  const token = await open(t);
  for (const list of lists) {
    for (const name of Object.keys(pageFilters) as (keyof PageFilters)[]) {
      const more = name === "workspace_id" ? "type=page" : `workspace_id=${workspace}`;
      const path = `${list}&${name}=${filters[name][1]}&${more}`;
      const { status, body, text } = await token.get(path);
      assert.deepEqual([status, body.items, body.unfiltered_total], [200, [], 6], `${path}: ${text}`);
    }
    for (const path of [list, `${list}&type=database`, `${list}&limit=1&type=database`]) {
      const { body } = await token.get(path);
      assert.ok(body.items.length > 0 && body.unfiltered_total === null, path);
    }
    const unknown = list.replace("license", "zzz");
    for (const path of [unknown, `${unknown}&type=tag`, `${unknown}&workspace_id=${other}`]) {
      const { body, text } = await token.get(path);
      assert.deepEqual([body.items, body.unfiltered_total], [[], null], `${path}: ${text}`);
    }
  }
  // Words that only some pages have are matches too, unless the order asks for pages with all of them.
  const partly = await token.get("/text/?q=license+nothing&updated_before=1969-01-01");
  assert.equal(partly.body.unfiltered_total, 7);
  const sorted = await token.get("/text/?q=license+nothing&updated_before=1969-01-01&sort=updated");
  assert.equal(sorted.body.unfiltered_total, null);
  const listed = await token.get("/search/?updated_before=1969-01-01");
  assert.deepEqual([listed.body.total, listed.body.unfiltered_total], [0, 7]);
});
