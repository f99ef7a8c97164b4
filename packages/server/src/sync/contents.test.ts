import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@clew/stand-in/testing/until";
import { findConnection } from "../store/queries/connections.ts";
import { wrapWrites } from "../store/testing/wrap-writes.ts";
import { dated, isText, listed, textOf, textsAsked, without } from "./testing/calls.ts";
import { files, idOf, links } from "./testing/circle.ts";
import { openLooking } from "./testing/looking.ts";
import { apiError, changed, createWorkspace, type Json } from "./testing/workspace.ts";

test("SYNC-3: the text of each page costs one call", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), links);
  assert.equal(new Set(textsAsked(workspace)).size, 3);
  assert.equal(textsAsked(workspace).length, 3);
});

test("SYNC-3: a first sync costs at most 1.1 calls a page", async (t) => {
  const pages = Array.from({ length: 60 }, (_, index) => [
    `p${index}.md`,
    `# P${index}\n\n[[P${index + 1}]]\n`,
  ]);
  const workspace = await createWorkspace(t, Object.fromEntries(pages));
  const { id } = await workspace.connect();
  workspace.calls.length = 0;
  await workspace.run(id);
  assert.equal((await workspace.titles(id)).length, 60);
  assert.ok(workspace.calls.length <= 66, `${workspace.calls.length} calls`);
});

test("SYNC-3: a page that is too large for one answer is put together", async (t) => {
  const paragraphs = Array.from({ length: 30 }, (_, index) => `Paragraph ${index} to [[Two]].`);
  const workspace = await createWorkspace(
    t,
    { ...files, "one.md": `# One\n\n${paragraphs.join("\n\n")}\n` },
    { markdownBlockLimit: 10 },
  );
  const { id } = await workspace.connect();
  await workspace.run(id);
  const { contentState, markdown } = await workspace.node(id, "One");
  assert.equal(contentState, "ready");
  assert.equal(markdown?.match(/Paragraph \d+/g)?.length, 30);
});

test("SYNC-1: pages that only a text names become nodes, with their texts", async (t) => {
  const workspace = await createWorkspace(t, {
    "start.md": "# Start\n\nSee [[Hidden]].\n",
    "below/hidden.md": "# Hidden\n\nTo [[Deeper]].\n",
    "below/deeper.md": "# Deeper\n\nTo [start](../start.md).\n",
  });
  const { id } = await workspace.connect();
  workspace.intercept(async (call, pass) =>
    call.path === "/v1/search"
      ? changed(await pass(), (list) => ({
          ...list,
          results: list.results.filter(
            ({ properties }: Json) => properties.title.title[0]?.plain_text === "Start",
          ),
        }))
      : pass(),
  );
  const { sync } = await workspace.run(id);
  assert.equal(sync.state, "idle");
  assert.deepEqual(await workspace.edges(id), [
    "Deeper -link-> Start",
    "Hidden -mention-> Deeper",
    "Start -mention-> Hidden",
    "below -child-> Deeper",
    "below -child-> Hidden",
  ]);
  assert.equal(new Set(textsAsked(workspace)).size, textsAsked(workspace).length);
});

test("SYNC-2: what a text shows as its own although its parent is another page is a mention; its children are not", async (t) => {
  const workspace = await createWorkspace(t, {
    "home/index.md": "# Home\n",
    "home/child.md": "# Child\n",
    "home/rows/_database.yml": "title: Own rows\n",
    "home/rows/row.md": "# Row\n",
    "other/_database.yml": "title: Other rows\n",
    "other/row.md": "# Other row\n",
  });
  const { id } = await workspace.connect();
  const home = await idOf(workspace, id, "Home");
  const other = await workspace.node(id, "Other rows");
  const stranger = "0000000000004000800000000000000d";
  workspace.pass(10 * 60_000);
  await workspace.write({ "home/index.md": "---\nupdated: 2031-01-01T00:00:00Z\n---\n# Home\n" });
  workspace.intercept(
    textOf(home, async (pass) =>
      changed(await pass(), (text) => ({
        ...text,
        markdown: [
          text.markdown,
          `<database url="https://www.notion.so/${other.id.replaceAll("-", "")}" inline="true">Other rows</database>`,
          `<database url="https://www.notion.so/${stranger}">Not shared</database>`,
          `<page url="https://www.notion.so/${home.replaceAll("-", "")}">Home</page>`,
        ].join("\n"),
      })),
    ),
  );
  await workspace.run(id);
  assert.deepEqual(
    (await workspace.edges(id)).filter((edge) => edge.startsWith("Home")),
    ["Home -child-> Child", "Home -child-> Own rows", "Home -mention-> Other rows"],
  );
  const { unresolved } = await workspace.node(id, "Home");
  assert.deepEqual(
    unresolved.map(({ type, targetId, name }) => [type, targetId.replaceAll("-", ""), name]),
    [["mention", stranger, "Not shared"]],
  );
});

test("SYNC-2: a mention of a data source means its database", async (t) => {
  const workspace = await createWorkspace(t, {
    "one.md": "# One\n",
    "rows/_database.yml": "title: Rows\n",
    "rows/row.md": "# Row\n",
  });
  const { id } = await workspace.connect();
  let source = "";
  workspace.intercept(async (call, pass) => {
    if (call.path === "/v1/search")
      return changed(await pass(), (list) => {
        source = list.results.find(({ object }: Json) => object === "data_source").id;
        return list;
      });
    if (!isText(call)) return pass();
    return changed(await pass(), (text) => ({
      ...text,
      markdown: `<mention-data-source url="collection://${source}"/>`,
    }));
  });
  await workspace.run(id);
  assert.ok((await workspace.edges(id)).includes("One -mention-> Rows"));
});

test("SYNC-2: while texts are read, the graph is published at most every 30 seconds", async (t) => {
  const pages = Array.from({ length: 100 }, (_, index) => [`p${index}.md`, `# P${index}\n`]);
  const workspace = await createWorkspace(t, Object.fromEntries(pages));
  const { id } = await workspace.connect();
  workspace.intercept((call, pass) => {
    if (isText(call)) workspace.pass(2000);
    return pass();
  });
  await workspace.run(id);
  const times = workspace.published.map(({ at }) => at);
  const pauses = times.slice(1, -1).map((time, index) => time - (times[index] ?? 0));
  assert.ok(times.length >= 4, `${times.length} publications`);
  for (const pause of pauses) assert.ok(pause >= 30_000);
});

test("SYNC-2: progress counts the pages whose texts are read", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const start = workspace.clock();
  const { sync, lastSyncedAt } = await workspace.run(id);
  assert.deepEqual(sync, {
    state: "idle",
    phase: null,
    done: 3,
    total: 3,
    startedAt: start,
    finishedAt: start,
    error: null,
    outcome: "complete",
    waitingUntil: null,
  });
  assert.equal(lastSyncedAt, start);
});

test("SYNC-2: a connection shows each phase of a sync from its first write to its last", async (t) => {
  const shown: string[] = [];
  let last = "";
  let shownOf = 0;
  const workspace = await createWorkspace(t, files, {
    wrapDatabase: (database) =>
      wrapWrites(database, async (write) => {
        const result = await write();
        const connection = await findConnection(database.read, shownOf);
        if (connection === null) return result;
        const { state, phase, done, total, outcome } = connection.sync;
        const line = `${state} ${phase} ${done}/${total} ${outcome}`;
        if (line !== last) shown.push(line);
        last = line;
        return result;
      }),
  });
  const { id } = await workspace.connect();
  shownOf = id;
  /** The phases that a sync of three texts shows after one with this outcome. */
  const phasesAfter = (outcome: string | null) => [
    `queued null 0/null ${outcome}`,
    `running titles 0/null ${outcome}`,
    `running titles 3/3 ${outcome}`,
    `running content 0/null ${outcome}`,
    `running content 0/3 ${outcome}`,
    `running content 3/3 ${outcome}`,
    "idle null 3/3 complete",
  ];
  for (const outcome of [null, "complete"]) {
    shown.length = 0;
    await workspace.run(id);
    // The end is stored before it is seen here.
    await until(() => last.startsWith("idle"));
    assert.deepEqual(shown, phasesAfter(outcome));
  }
});

test("SYNC-2: while texts are read, progress says how many there are, those included that a text named", async (t) => {
  const looking = await openLooking(t, {
    "start.md": "# Start\n\nSee [[Hidden]].\n",
    "hidden.md": "# Hidden\n",
  });
  const seen: unknown[] = [];
  const notListed = without("Hidden");
  looking.intercept(async (call, pass) => {
    const progress = ["sync_phase as phase", "sync_done as done", "sync_total as total"] as const;
    if (isText(call))
      seen.push(...(await looking.database.read.selectFrom("connections").select(progress).execute()));
    return notListed(call, pass);
  });
  await looking.connect();
  assert.deepEqual(seen, [
    { phase: "content", done: 0, total: 1 },
    { phase: "content", done: 1, total: 2 },
  ]);
});

test("SYNC-2: while texts are read, progress says at least every few seconds how many are", async (t) => {
  const names = Array.from({ length: 40 }, (_, number) => `p${number}`);
  const looking = await openLooking(
    t,
    Object.fromEntries(names.map((name) => [`${name}.md`, `# ${name}\n`])),
  );
  let read = 0;
  let mostBehind = 0;
  looking.intercept(async (call, pass) => {
    const answer = await pass();
    if (!isText(call)) return answer;
    await looking.time.sleep(1_000);
    const { done } = await looking.database.read
      .selectFrom("connections")
      .select("sync_done as done")
      .executeTakeFirstOrThrow();
    mostBehind = Math.max(mostBehind, read - done);
    read += 1;
    return answer;
  });
  await looking.connect();
  assert.equal(read, names.length);
  assert.ok(mostBehind <= names.length / 4, `${mostBehind} behind`);
});

test("SYNC-5: all texts that show a page which could not be looked up are read again by the next sync", async (t) => {
  const hidden = "11111111-1111-4111-8111-111111111111";
  const filesAt = (updated: string) => ({
    "one.md": dated("# One\n", updated),
    "two.md": dated("# Two\n", updated),
    "three.md": dated("# Three\n", "2025-05-01T00:00:00Z"),
  });
  const looking = await openLooking(t, filesAt("2025-05-01T00:00:00Z"));
  const { sync } = looking.startInstance({ looks: false });
  const { id } = await looking.connect();
  await looking.pass(5 * 60_000);
  const shown = `<page url="https://www.notion.so/${hidden.replaceAll("-", "")}">Hidden</page>`;
  looking.intercept(async (call, pass) => {
    if (isText(call))
      return changed(await pass(), (text) => ({ ...text, markdown: `${text.markdown}\n${shown}` }));
    if (call.path !== `/v1/pages/${hidden}`) return pass();
    // Other texts are there by then.
    await looking.time.sleep(10_000);
    return apiError(400, "validation_error");
  });
  await looking.write(filesAt("2025-06-01T00:00:00Z"));
  const texts = await Promise.all(
    ["One", "Two"].map(async (title) => `/v1/pages/${(await looking.nodeTitled(id, title))?.id}/markdown`),
  );
  for (const _ of ["edited", "not edited since"]) {
    looking.calls.length = 0;
    await looking.time.run(sync.request(id));
    await looking.pass(60_000);
    const paths = looking.calls.map(({ path }) => path);
    assert.deepEqual(paths.toSorted(), [...texts, `/v1/pages/${hidden}`, "/v1/search"].sort());
  }
});

test("SYNC-7: a text is not read again while its page was not edited", async (t) => {
  const old = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, dated(text)]));
  const workspace = await createWorkspace(t, old);
  const { id } = await workspace.connect();
  await workspace.run(id);
  workspace.calls.length = 0;
  await workspace.write({
    "two.md": "---\nupdated: 2026-01-02T00:00:00Z\n---\n# Two\n\nTo [one](one.md).\n",
  });
  await workspace.run(id);
  assert.deepEqual(textsAsked(workspace), [(await workspace.node(id, "Two")).id]);
  assert.ok((await workspace.edges(id)).includes("Two -link-> One"));
});

test("SYNC-7: an edit within the same minute is noticed although the provider's times do not show it", async (t) => {
  const updated = new Date().toISOString();
  const page = (target: string) => dated(`# One\n\nTo [there](${target}.md).\n`, updated);
  const workspace = await createWorkspace(t, { ...files, "one.md": page("two") });
  const { id } = await workspace.connect();
  await workspace.run(id);
  workspace.pass(30_000);
  await workspace.write({ "one.md": page("three") });
  await workspace.run(id);
  assert.ok((await workspace.edges(id)).includes("One -link-> Three"));
});

test("SYNC-7: a database that becomes a page has its text read, and a page that becomes a database loses it, in one minute", async (t) => {
  const plan = "00000000-0000-4000-8000-00000000000a";
  const asDatabase = { "plan/_database.yml": `id: ${plan}\ntitle: Plan\n` };
  const asPage = { "plan/index.md": dated("# Plan\n\nTo [two](../two.md).\n", undefined, `id: ${plan}\n`) };
  const workspace = await createWorkspace(t, { "two.md": dated("# Two\n"), ...asDatabase });
  const { id } = await workspace.connect();
  const last_edited_time = "2026-01-01T00:00:00.000Z";
  workspace.intercept(listed((results) => results.map((one) => ({ ...one, last_edited_time }))));
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), []);

  await workspace.remove("plan");
  await workspace.write(asPage);
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), ["Plan -link-> Two"]);

  await workspace.remove("plan");
  await workspace.write(asDatabase);
  await workspace.run(id);
  assert.deepEqual(await workspace.edges(id), []);
});
