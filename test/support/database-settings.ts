import { randomBytes } from "node:crypto";
import { newLocation, onPostgres } from "../../packages/server/src/store/testing/location.ts";
import type { Settings } from "./clew-process.ts";

/** The settings with which a Clew has a database of its own on the server of the tests; none where its default file will do. */
export async function databaseSettings(): Promise<{ readonly settings: Settings; remove(): Promise<void> }> {
  if (!onPostgres) return { settings: {}, remove: async () => {} };
  const { url, remove } = await newLocation();
  const key = randomBytes(32).toString("base64");
  return { settings: { DATABASE_URL: url, ENCRYPTION_KEY: key, STAND_IN: "1" }, remove };
}
