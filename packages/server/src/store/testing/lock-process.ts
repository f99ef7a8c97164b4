import { openForWriting } from "../sqlite/file.ts";
import { readyToGo } from "./processes.ts";

/** A process that takes the write lock of the database in its first argument, reports it, and holds it until it is killed. */
const [path = ""] = process.argv.slice(2);
const file = openForWriting(path);
await readyToGo();
file.exec("begin immediate");
process.send?.("locked");
// A file that nothing refers to is collected, and its lock released.
process.on("message", () => file.inTransaction);
