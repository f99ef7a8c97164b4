import { openForWriting } from "../sqlite/file.ts";
import { readyToGo } from "./processes.ts";

/** A process that takes the write lock of the database at its first argument, says so, and keeps it until it is killed. */
const [path = ""] = process.argv.slice(2);
const file = openForWriting(path);
await readyToGo();
file.exec("begin immediate");
process.send?.("locked");
process.on("message", () => {});
