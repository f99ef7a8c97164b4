import { pino } from "pino";
import { parseLocation } from "../../model/database-location.ts";
import { readyToGo } from "../../store/testing/processes.ts";
import { TextIndex } from "../text-index.ts";

/** A process that brings the text index of a connection up to date, on the database in its first argument. */
const [url = "", connectionId = ""] = process.argv.slice(2);
const texts = new TextIndex({ database: { location: parseLocation(url) }, log: pino() });
await readyToGo();
await texts.update(Number(connectionId));
process.exit();
