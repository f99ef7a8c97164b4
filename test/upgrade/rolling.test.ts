import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "@clew/stand-in/testing/until";
import manifest from "../../package.json" with { type: "json" };
import type { Effect } from "../../packages/server/src/store/migrate.ts";
import { newest } from "../../packages/server/src/store/testing/later-migration.ts";
import { newLocation } from "../../packages/server/src/store/testing/location.ts";
import { call } from "../support/call.ts";
import { type ClewProcess, freePort, type Settings } from "../support/clew-process.ts";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { createToken, signIn, waitForSync } from "../support/session.ts";
import { stageOf } from "../support/stage.ts";

const adding: Effect = { kind: "expand" };
/** It removes what programs without `adding` use. */
const removing: Effect = { kind: "contract", stopsBefore: newest + 1 };

test("OPS-4: instances of three versions: the second goes on beside the third, which stops the first", async (t) => {
  const stage = await stageOf(t);
  const { url: databaseUrl, remove } = await newLocation({ isEmpty: true });
  stage.defer(remove);
  const pages = join(stage.folder, "pages");
  await writeFiles(pages, { "page.md": markdownPage("Page", "Read by all versions.") });
  const notion = await startNotion(stage, pages);
  const port = await freePort();
  const shared = {
    ...settingsFor(notion),
    PUBLIC_URL: `http://localhost:${port}`,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    DATABASE_URL: databaseUrl,
  };
  const start = (name: string, settings: Settings) =>
    stage.start({ ...shared, DATA_DIR: join(stage.folder, name), ...settings });
  const startLater = (name: string, ...effects: readonly Effect[]) =>
    start(name, {
      LATER_MIGRATIONS: JSON.stringify(effects),
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --import=${new URL("later-program.ts", import.meta.url).href}`,
    });
  const addressOf = ({ port }: ClewProcess) => new URL(`http://localhost:${port}/`);

  const first = await start("first", { PORT: String(port) });
  const session = await signIn(addressOf(first));
  await waitForSync(addressOf(first), session);

  const second = await startLater("second", adding);
  await until(() => first.output().includes("may go on beside it"));
  for (const instance of [first, second]) {
    const { token } = await createToken(addressOf(instance), session, "made beside the other");
    for (const other of [first, second])
      assert.equal((await call(addressOf(other), "api/v1/token/", { token })).status, 200);
  }
  assert.equal((await call(addressOf(first), "readyz")).status, 200);

  const third = await startLater("third", adding, removing);
  const { token } = await createToken(addressOf(third), session, "made by the third");
  await until(() => first.output().includes("stopped serving and syncing"));
  for (const [instance, status] of [
    [first, 503],
    [second, 200],
    [third, 200],
  ] as const)
    for (const path of ["readyz", "api/v1/token/", "api/v1/workspaces/"])
      assert.equal((await call(addressOf(instance), path, { token })).status, status, path);
  await createToken(addressOf(second), session, "made by the second");
  const refused = await call(addressOf(first), "api/tokens/", {
    method: "POST",
    token: session.access,
    body: { name: "made by the first", scopes: ["graph:read"], workspace_ids: [] },
  });
  assert.deepEqual([refused.status, refused.body.code], [503, "unavailable"]);
  assert.equal((await call(addressOf(first), "healthz")).status, 200);
  const why = `stopped serving and syncing. Clew ${manifest.version} has migrated the database to schema ${newest + 2}, which stops programs before schema ${newest + 1}`;
  assert.equal(first.output().split(why).length - 1, 1, "it says so once");
  assert.ok(!second.output().includes("stopped serving"));
});
