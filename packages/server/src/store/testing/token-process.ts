import { parseLocation } from "../../model/database-location.ts";
import { openDatabase } from "../database.ts";
import { countUsableTokens, insertServiceToken } from "../queries/service-tokens.ts";
import { readyToGo } from "./processes.ts";
import { someHash } from "./scratch.ts";

/** A process that tries fifty times to create a token for the user in its second argument, up to ten. */
const [url = "", userId = ""] = process.argv.slice(2);
const database = await openDatabase({ location: parseLocation(url) });
await readyToGo();
for (let attempt = 0; attempt < 50; attempt += 1) {
  await database.transaction(async (trx) => {
    if ((await countUsableTokens(trx, userId, 1)) >= 10) return;
    await insertServiceToken(trx, {
      userId,
      name: `${process.pid}`,
      hash: someHash(),
      prefix: "svc_12345678",
      scopes: ["graph:read"],
      workspaceIds: ["workspace"],
      expiresInDays: null,
      createdAt: 1,
      expiresAt: null,
    });
  });
}
await database.close();
process.disconnect();
