export { Command, CommanderError } from "commander";
export { openBrowser } from "./browser.ts";
export { count, readingGroup } from "./commands.ts";
export type { ReadingContext } from "./connect.ts";
export { addReadingCommands } from "./program.ts";
export { exitCodes, ReadingError } from "./reading-error.ts";
export { plainText, table } from "./table.ts";
