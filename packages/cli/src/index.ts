export { Command, CommanderError } from "commander";
export { readingGroup } from "./commands.ts";
export { type ReadingContext, ReadingError } from "./connect.ts";
export { exitCodes } from "./exit-codes.ts";
export { addReadingCommands } from "./program.ts";
export { plainText, table } from "./table.ts";
