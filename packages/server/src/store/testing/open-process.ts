import { parseLocation } from "../../model/database-location.ts";
import { openDatabase } from "../database.ts";
import { readyToGo } from "./processes.ts";

/** A process that opens, and so migrates, the database in its first argument. */
const [url = ""] = process.argv.slice(2);
await readyToGo();
const database = await openDatabase({ location: parseLocation(url) });
await database.close();
process.disconnect();
