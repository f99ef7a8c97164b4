import { parseLocation } from "../../model/database-location.ts";
import { openDatabase } from "../database.ts";
import { openSession } from "../queries/sessions.ts";
import { readyToGo } from "./processes.ts";

/** A process that opens sessions for the user of its second argument and reports each, until it is killed. */
const [url = "", userId = ""] = process.argv.slice(2);
const database = await openDatabase({ location: parseLocation(url) });
await readyToGo();
for (let number = 0; ; number += 1) {
  const id = `session-${number}`;
  await database.transaction((trx) =>
    openSession(trx, { id, userId, userAgent: null, createdAt: 1, refreshExpiresAt: 2 }),
  );
  process.send?.(id);
}
