import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { test } from "node:test";
import { openDatabase } from "../database.ts";
import { newestVersion } from "../migrate.ts";
import { newLocation, released } from "../testing/location.ts";
import { shared } from "./shared.ts";

test("OPS-4: every migration beside the list is in it, under its file's name", async () => {
  const files = (await readdir(import.meta.dirname)).filter((file) => /^\d{4}-[^.]+\.ts$/.test(file));
  const listed = shared.map(
    ({ version, name }) => `${`${version}`.padStart(4, "0")}-${name.replaceAll(" ", "-")}.ts`,
  );
  assert.deepEqual(listed, files.sort());
});

test("OPS-4: versions ascend, without a gap since databases have the same ones", () => {
  const versions = released.map(({ version }) => version);
  assert.deepEqual(
    versions,
    versions.toSorted((one, other) => one - other),
  );
  const first = shared[0]?.version ?? 0;
  assert.deepEqual(
    versions.filter((version) => version >= first),
    shared.map((_, index) => first + index),
  );
});

for (const { version } of shared) {
  test(`OPS-4: a database of version ${version} reaches the newest one`, async (t) => {
    const { location, remove } = await newLocation({ isEmpty: true });
    t.after(remove);
    const upTo = released.filter((step) => step.version <= version);
    await (await openDatabase({ location, migrations: upTo })).close();
    const database = await openDatabase({ location, backUp: false });
    t.after(() => database.close());
    assert.equal((await database.schemaState()).version, newestVersion(released));
    assert.equal(await database.ready(), true);
  });
}
