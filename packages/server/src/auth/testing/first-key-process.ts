import { randomBytes } from "node:crypto";
import { createSecrets } from "../../secrets/secrets.ts";
import { openDatabase } from "../../store/database.ts";
import { createSigningKeys } from "../signing-keys.ts";

/** A process that opens the database in its first argument and prints the id of its signing key. */
const [path = "", key = ""] = process.argv.slice(2);
const database = await openDatabase({ location: { kind: "sqlite", path } });
const secrets = createSecrets(Buffer.from(key, "hex"), randomBytes);
const keys = await createSigningKeys({ database, secrets, clock: Date.now, random: randomBytes });
process.stdout.write((await keys.current()).kid);
await database.close();
