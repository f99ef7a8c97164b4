/* The dialect in use. Only the store imports a dialect's folder: all else opens databases here and knows them by port.ts. */
export { copyDatabase, inspectDatabase } from "./sqlite/copies.ts";
export { openDatabase, openExclusively, openReader } from "./sqlite/database.ts";
export type { LockWait } from "./sqlite/file.ts";
export { type CarriedOver, restoreDatabase } from "./sqlite/restore.ts";
export { deleteTextIndex, openTextReader, openTextWriter } from "./sqlite/texts.ts";
