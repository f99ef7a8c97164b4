/* For a worker thread, which opens the database by `Database.location` and needs none of its other parts. */
export { readGraphRows } from "./sqlite/graph-rows.ts";
