import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { pick, seededRandom } from "@clew/stand-in/testing/random";
import { markdownPage } from "../support/markdown-folder.ts";
import { type FreshStage, freshStage } from "./stage.ts";

const page = (title: string, text: string, updated = "2026-02-06T11:00:00Z") =>
  markdownPage(title, text, { updated });

/** The pages of a stage by their titles. */
async function idOf({ agent }: FreshStage, title: string): Promise<string> {
  const { items } = await agent.searchPages({ q: title });
  const found = items.find(({ node }) => node.title === title);
  assert.ok(found, `no page is called ${title}`);
  return found.node.id;
}

async function sync({ person, workspaceId, synced }: FreshStage): Promise<void> {
  await person.startSync({ id: workspaceId });
  assert.equal((await synced()).sync.outcome, "complete");
}

/** Asks Clew, and returns the answer with its headers. */
const ask = ({ url, token }: FreshStage, path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(`api/v1/${path}`, url), { headers: { authorization: `Bearer ${token}`, ...headers } });

/** The answer of the tool `read_page`. */
async function readPage({ url, token }: FreshStage, id: string): Promise<string> {
  const call = { name: "read_page", arguments: { page: id } };
  const answer = await fetch(new URL("api/v1/mcp", url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
  });
  return answer.text();
}

async function setUp(t: TestContext): Promise<FreshStage> {
  return freshStage(t, {
    "notes.md": page("Notes", "Of the [[zebrafish]] 𝕏 project, which swims.\n\n## After it\n\nThe end."),
    "zebrafish.md": page("Zebrafish", "It has stripes."),
  });
}

test("SYNC-12: after a rename, all that shows a text shows the new title and finds it, and nothing the old one", async (t) => {
  const stage = await setUp(t);
  const { agent, write } = stage;
  const notes = await idOf(stage, "Notes");
  const fish = await idOf(stage, "Zebrafish");
  const before = await ask(stage, `nodes/${notes}/content/`);
  const { updated_at } = (await before.json()) as { updated_at: string };
  const etag = before.headers.get("etag") ?? "";
  const { next_cursor: cursor } = await agent.listChanges({ cursor: "now" });

  await write({
    "zebrafish.md": page("Quagga with a longer name", "It has stripes.", new Date().toISOString()),
  });
  await sync(stage);

  const answer = await ask(stage, `nodes/${notes}/content/?include=outline`, { "if-none-match": etag });
  assert.equal(answer.status, 200, "the ETag is another one");
  // The contract's message.
  const content = (await answer.json()) as Awaited<ReturnType<typeof agent.getPageContent>>;
  assert.match(content.markdown, />Quagga with a longer name<\/mention-page>/);
  assert.doesNotMatch(content.markdown, /Zebrafish/);
  assert.equal(content.updated_at, updated_at, "nobody edited it");
  const characters = [...content.markdown];
  assert.equal(content.total_chars, characters.length);
  const [heading] = content.headings ?? [];
  assert.match(characters.slice(heading?.offset).join(""), /^## After it/);
  const part = await agent.getPageContent({ id: notes, offset: heading?.offset ?? 0 });
  assert.match(part.markdown, /^## After it/);

  assert.deepEqual((await agent.searchTexts({ q: '"the Zebrafish"' })).items, []);
  const { items: hits } = await agent.searchTexts({ q: '"the Quagga with a longer name"' });
  assert.deepEqual(
    hits.map(({ node }) => node.id),
    [notes],
  );
  const [hit] = hits[0]?.hits ?? [];
  assert.match(hit?.snippet ?? "", /Quagga/);
  assert.match(characters.slice(hit?.offset ?? -1).join(""), /^Of the <mention-page/);

  const { items: neighbors } = await agent.listNeighbors({ id: notes, excerpts: true });
  const [excerpt] = neighbors.find(({ node }) => node.id === fish)?.edges[0]?.excerpts ?? [];
  assert.match(excerpt?.text ?? "", /Of the Quagga with a longer name 𝕏 project/);
  const gathered = await agent.buildContext({ q: "project swims" });
  assert.match(gathered.markdown, /Quagga with a longer name/);
  assert.doesNotMatch(gathered.markdown, /Zebrafish/);
  assert.match(await readPage(stage, notes), /Quagga with a longer name/);
  const exported = await (await ask(stage, "export/?text=true")).text();
  assert.match(exported, /Of the .{0,120}Quagga with a longer name/);
  assert.doesNotMatch(exported, /Zebrafish/);

  const { items: changes } = await agent.listChanges({ cursor });
  assert.deepEqual(changes.find(({ node_id }) => node_id === notes)?.what, ["text"]);
  const { items: recent } = await agent.listRecentChanges({ since: "1h" });
  assert.deepEqual(
    recent.map(({ node_id }) => node_id),
    [fish],
    "nobody edited the page that shows it",
  );
});

const names = ["Heron", "Otter", "Kestrel", "Marten", "Plover", "Badger", "Curlew", "Stoat"];

/** The pages of a random folder: a parent with subpages, each of which names others. */
interface RandomPage {
  readonly path: string;
  title: string;
  text: string;
  updated: number;
}

/** Everything that a person can see of every page, in an order of its own, with the searches that find it. */
async function everything(stage: FreshStage, words: readonly string[]) {
  const { items } = await stage.agent.listChanges({});
  const pages = await Promise.all(
    items.flatMap(({ node }) => {
      if (node === null) return [];
      return [
        (async () => {
          const { markdown, total_chars } = await stage.agent.getPageContent({
            id: node.id,
            max_chars: 100_000,
          });
          const { items: neighbors } = await stage.agent.listNeighbors({
            id: node.id,
            excerpts: true,
            limit: 50,
          });
          const excerpts = neighbors.flatMap(({ edges }) => edges.flatMap(({ excerpts: all }) => all ?? []));
          return JSON.stringify({ title: node.title, markdown, total_chars, excerpts: sorted(excerpts) });
        })(),
      ];
    }),
  );
  const found = [];
  for (const word of words) {
    const { items: hits } = await stage.agent.searchTexts({ q: `"${word}"`, limit: 50 });
    const shown = hits.map(({ node, hits: places }) => JSON.stringify([node.title, places]));
    found.push([word, shown.sort()]);
  }
  return { pages: pages.sort(), found };
}

const sorted = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).sort();

/** A share of the random renames: each database has one of its own. */
const seeds = process.env.TEST_DATABASE_URL ? [2] : [1];

for (const seed of seeds)
  test(`SYNC-12: after random renames, texts, excerpts and search are those of a fresh import (seed ${seed})`, async (t) => {
    const random = seededRandom(seed);
    const pages: RandomPage[] = Array.from({ length: 14 }, (_, n) => ({
      path: n < 3 ? `p${n}/index.md` : `p${n % 3}/c${n}.md`,
      title: `${pick(random, names)} ${n}`,
      text: "",
      updated: Date.parse("2026-02-06T11:00:00Z"),
    }));
    const words = () =>
      [1, 2, 3].map(() => {
        const to = pick(random, pages).path.replace(/\.md$/, "");
        return pick(random, [`on [[/${to}]] 𝕏`, `see [[/${to}|them]]`, `and [this](/${to}.md)`]);
      });
    for (const each of pages)
      each.text = `About ${words().join(", ")}.\n\n## More\n\nAlso ${words().join("; ")}.`;
    const files = () =>
      Object.fromEntries(
        pages.map(({ path, title, text, updated }) => [
          path,
          page(title, text, new Date(updated).toISOString()),
        ]),
      );
    const stage = await freshStage(t, files());
    const titles = new Set(pages.map(({ title }) => title));
    for (let round = 0; round < 2; round += 1) {
      for (let edits = 0; edits < 6; edits += 1) {
        const edited = pick(random, pages);
        edited.updated += 3_600_000;
        if (random() < 0.7)
          edited.title = `${pick(random, names)} ${pick(random, ["of *the* lake", "<b>", "", "x".repeat(40)])} ${round}`;
        else edited.text = `Now ${words().join(", ")}.`;
        titles.add(edited.title);
      }
      await stage.write(files());
      await sync(stage);
      const fresh = await freshStage(t, files());
      assert.deepEqual(await everything(stage, [...titles]), await everything(fresh, [...titles]));
    }
  });
