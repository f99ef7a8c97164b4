import assert from "node:assert/strict";
import { test } from "node:test";
import { countRowsRead } from "../testing/count-rows.ts";
import { page, scratchDatabase, someConnection } from "../testing/scratch.ts";
import { authorsOf, setAuthors } from "./authors.ts";
import { upsertNodes } from "./graph-pages.ts";

const author = (id: string) => ({ id, name: null });
const [ada, ben, cy] = [author("ada"), author("ben"), author("cy")];

test("SRC-5: each author of a connection's pages is there once, with the name that a sync was given", async (t) => {
  const { database } = await scratchDatabase(t);
  const [id, other] = [await someConnection(database), await someConnection(database)];
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [
      page(1, { createdBy: ada, editedBy: ben }),
      page(2, { createdBy: ben, editedBy: ada }),
      page(3, { createdBy: cy }),
      page(4),
    ]);
    await setAuthors(trx, id, [
      { id: "ada", name: "Ada" },
      { id: "cy", name: null },
    ]);
    await upsertNodes(trx, other, [page(1, { createdBy: ada, editedBy: author("di") })]);
    await setAuthors(trx, other, [{ id: "ben", name: "Their Ben" }]);
  });
  const authors = (await authorsOf(database.read, id)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  assert.deepEqual(authors, [
    { id: "ada", name: "Ada", isKnown: true },
    { id: "ben", name: null, isKnown: false },
    { id: "cy", name: null, isKnown: true },
  ]);
});

test("SRC-5: the authors of a workspace are read, not those of each of its pages", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const pages = Array.from({ length: 500 }, (_, number) => page(number, { createdBy: ada, editedBy: ben }));
  await database.transaction((trx) => upsertNodes(trx, id, pages));
  assert.equal(await countRowsRead(database, (trx) => authorsOf(trx, id)), 2);
});
