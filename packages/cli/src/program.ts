import type { Command } from "commander";
import { check } from "./check.ts";
import { ReadingCommands } from "./commands.ts";
import type { ReadingContext } from "./connect.ts";
import { exportGraph } from "./export.ts";
import { links, recent, search, table, text } from "./lists.ts";
import { addLoginCommands } from "./login.ts";
import { bridgeMcp } from "./mcp-bridge.ts";
import { path, read } from "./read.ts";
import { whoAmI } from "./who-am-i.ts";

/** Adds the commands that read a Clew over its API (OPS-7), the bridge for agents (AGT-7), and `clew login` (APP-8). */
export function addReadingCommands(program: Command, context: ReadingContext): void {
  const commands = new ReadingCommands(program, context);
  for (const add of [search, text, read, links, path, recent, table, check, exportGraph, whoAmI])
    add(commands);
  commands
    .add("mcp", "offer Clew's tools to a program that speaks the Model Context Protocol over stdio only")
    .option(
      "--dir <path>",
      "read this folder of Markdown in this process: without a server, a browser or a token",
    )
    .action(async ({ dir }: { readonly dir?: string }) => bridgeMcp(context, dir));
  addLoginCommands(program, context);
}
