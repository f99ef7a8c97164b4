import { pino } from "pino";
import { readyToGo } from "../../store/testing/processes.ts";
import { createTextIndex } from "../texts/texts.ts";

/** A process that brings the text index of a connection up to date, on the database in its first argument. */
const [location = "", connectionId = ""] = process.argv.slice(2);
const texts = createTextIndex({ database: { location }, log: pino() });
await readyToGo();
await texts.update(Number(connectionId));
process.exit();
