import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { actorOf } from "../model/testing/actor.ts";
import { openReader } from "../store/database.ts";
import { upsertNodes } from "../store/queries/graph-pages.ts";
import { upsertUser } from "../store/queries/users.ts";
import { needsFile, pathOf } from "../store/testing/location.ts";
import { nodeId, page, referenceTo } from "../store/testing/scratch.ts";
import { saveContent } from "../store/testing/write-graph.ts";
import { clearRemoved, deleteAccount, disconnect } from "./remove.ts";
import { createRemovalFixture } from "./testing/removal.ts";

const people = ["ann", "ben"] as const;
const pages = 150;

/** Two users whose rows are written and rewritten in turns, so that they are interleaved on disk and move. */
async function shared(t: Parameters<typeof createRemovalFixture>[0]) {
  const fixture = await createRemovalFixture(t);
  const { database, connect } = fixture;
  const connections: Record<string, number> = {};
  for (const name of people) {
    const person = { provider: "some", providerUserId: name, name: `NAME-${name}`, avatarUrl: null };
    const email = `${name}@secret.example`;
    await database.transaction((trx) => upsertUser(trx, { newId: name, ...person, email }, 1));
    connections[name] = (await connect(name, "w")).id;
  }
  for (const round of [1, 2]) {
    for (let number = 10; number < pages; number += 1) {
      await database.transaction(async (trx) => {
        for (const name of people) {
          const id = connections[name] ?? 0;
          const title = `TITLE-${name}-${round} `.repeat(1 + ((number * 7) % 40));
          const markdown = `TEXT-${name}-${round} `.repeat(1 + ((number * 37) % 700));
          const properties = { Note: `PROPERTY-${name}` };
          await upsertNodes(trx, id, [page(number, { title, properties, updatedAt: round })]);
          const references = [referenceTo(number + 1, { name: `THREAD-${name}-${round}` })];
          await saveContent(trx, id, nodeId(number), { markdown, references, state: "ready" });
        }
      });
    }
  }
  const path = pathOf(fixture.location);
  const log = () => readFile(`${path}-wal`, "latin1");
  return {
    ...fixture,
    log,
    /** The texts of a user that are in the bytes of the database and its log. */
    async remains(name: string) {
      const bytes = (await readFile(path, "latin1")) + (await log());
      const texts = ["TEXT", "TITLE", "PROPERTY", "THREAD", "NAME"].map((text) => `${text}-${name}`);
      return [...texts, `${name}@secret.example`].filter((text) => bytes.includes(text));
    },
    clear: () => clearRemoved(database, new AbortController().signal),
  };
}

test("SESS-9: a deleted account leaves nothing in the bytes of the database or its log", {
  skip: needsFile,
}, async (t) => {
  const { services, database, remains, clear } = await shared(t);
  assert.equal((await remains("ann")).length, 6);
  await deleteAccount(services, "ann");
  await clear();
  await database.upkeep?.eraseRemains();
  assert.deepEqual(await remains("ann"), []);
  assert.equal((await remains("ben")).length, 6, "nothing of others is deleted");
});

test("GRAPH-15: a disconnected workspace leaves nothing in the bytes either", {
  skip: needsFile,
}, async (t) => {
  const { services, database, remains, clear } = await shared(t);
  await disconnect(services, actorOf({ userId: "ann", sessionId: "a session" }), "w");
  await clear();
  await database.upkeep?.eraseRemains();
  assert.deepEqual(await remains("ann"), ["NAME-ann", "ann@secret.example"]);
});

test("SESS-9: a log that a reader still needs is truncated later, without blocking", {
  skip: needsFile,
}, async (t) => {
  const { services, database, location, log, clear } = await shared(t);
  const reader = await openReader(location);
  t.after(() => reader.close());
  await deleteAccount(services, "ann");
  await reader.snapshot(async (trx) => {
    await trx.selectFrom("users").select("id").execute();
    await clear();
    await database.upkeep?.eraseRemains();
    assert.notEqual((await log()).length, 0);
  });
  await database.upkeep?.eraseRemains();
  assert.equal((await log()).length, 0);
});
