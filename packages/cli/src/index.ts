export { Command, CommanderError } from "commander";
export { openBrowser } from "./browser.ts";
export { count, readingGroup } from "./commands.ts";
export type { OpenedFolder, ReadingContext } from "./connect.ts";
export { exitCodeHelp, exitCodes, exitCodeTable, ReadingError } from "./exit-codes.ts";
export { safeText } from "./output.ts";
export { addReadingCommands } from "./program.ts";
export { formatBytes, plainText, table } from "./table.ts";
