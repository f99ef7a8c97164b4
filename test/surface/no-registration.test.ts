import assert from "node:assert/strict";
import { test } from "node:test";
import * as contract from "@clew/contract";
import { columnNames } from "../../packages/server/src/store/testing/column-names.ts";
import { startRunning } from "../support/running-clew.ts";
import { collectRoutes } from "./routes.ts";

const telling = /pass(word|phrase)|regist|sign-?up/i;

test("SIGN-9: there is no path for registration, and no route accepts a password", async (t) => {
  const routes = collectRoutes();
  const clew = await startRunning({ onServer: routes.watch });
  t.after(() => clew.stop());
  const patterns = routes.patterns();
  assert.ok(patterns.includes("/api/tokens"));
  // Programs register here, and nobody gets an account by it (APP-3).
  assert.deepEqual(
    patterns.filter((pattern) => telling.test(pattern)),
    ["/oauth/register"],
  );
  // Routes refer to the contract's messages by name, so those are read as well.
  const messages = [...patterns.map((pattern) => routes.schemas(pattern)), ...Object.values(contract)].map(
    (schema) => JSON.stringify(schema) ?? "",
  );
  assert.ok(messages.some((message) => message.includes("expires_in_days")));
  // Words about programs that connect, which are no accounts.
  const ofPrograms =
    /"registered"|registration_endpoint|registrationBytes|RegisteredClient|sealed registration/g;
  assert.deepEqual(
    messages.filter((message) => telling.test(message.replaceAll(ofPrograms, ""))),
    [],
  );
});

test("SIGN-9: no column of the database could hold a password", async (t) => {
  const clew = await startRunning();
  t.after(() => clew.stop());
  const columns = await columnNames(clew.databaseLocation);
  assert.ok(columns.includes("users.name"));
  assert.deepEqual(
    columns.filter((column) => telling.test(column)),
    [],
  );
});
