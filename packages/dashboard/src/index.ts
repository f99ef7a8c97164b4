import { join } from "node:path";

/** Where the page's files are. */
export const directory = join(import.meta.dirname, "..", "page");
