import { randomBytes } from "node:crypto";
import { newLocation, onPostgres } from "../../packages/server/src/store/testing/location.ts";
import type { Settings } from "./clew-process.ts";

/** The number of buckets that each Clew of the tests has, on PostgreSQL. */
const buckets = Number(process.env.TEST_BUCKETS ?? 1);

/** The settings with which a Clew has databases of its own on the server of the tests; none where its default file will do. */
export async function databaseSettings(): Promise<{ readonly settings: Settings; remove(): Promise<void> }> {
  if (!onPostgres) return { settings: {}, remove: async () => {} };
  const databases = await Promise.all(Array.from({ length: buckets }, () => newLocation()));
  const key = randomBytes(32).toString("base64");
  return {
    settings: { DATABASE_URL: databases.map(({ url }) => url).join(","), ENCRYPTION_KEY: key, STAND_IN: "1" },
    async remove() {
      for (const database of databases) await database.remove();
    },
  };
}
