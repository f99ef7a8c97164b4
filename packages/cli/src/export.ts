import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type ExportFormat, exportMediaTypes, exportParts } from "@clew/contract";
import { Option } from "commander";
import type { ReadingCommands } from "./commands.ts";
import { ReadingError } from "./exit-codes.ts";
import { findWorkspace } from "./pages.ts";

interface ExportOptions {
  readonly format: ExportFormat;
  readonly part?: (typeof exportParts)[number];
  readonly workspace?: string;
  readonly text?: boolean;
}

/** The longest that the last line of an export can be. */
const endBytes = 100;

export function exportGraph(commands: ReadingCommands): void {
  const { context } = commands;
  commands
    .add("export", "write the whole graph to standard output")
    .addOption(
      new Option("--format <format>", "csv needs --part")
        .choices(Object.keys(exportMediaTypes))
        .default("jsonl"),
    )
    .addOption(
      new Option("--part <part>", "leave out the rest; broken: links that lead nowhere").choices(exportParts),
    )
    .option("--workspace <workspace>", "only this workspace: its id or name")
    .option("--text", "add the texts of pages; only with jsonl")
    .action(
      commands.action(async (client, options: ExportOptions) => {
        const { format, part, workspace, text } = options;
        const workspaceId = await findWorkspace(client, workspace);
        const stream = await client.exportStream({ format, part, workspace_id: workspaceId, text });
        let tail = Buffer.alloc(0);
        const watch = new Transform({
          transform(chunk: Buffer, _encoding, done) {
            tail = Buffer.concat([tail, chunk]).subarray(-endBytes);
            done(null, chunk);
          },
        });
        try {
          // Standard output stays open for what follows.
          await pipeline(Readable.fromWeb(stream), watch, context.stdout, { end: false });
        } catch (error) {
          throw new ReadingError(
            "unavailable",
            `The export broke off: ${error instanceof Error ? error.message : error}.`,
          );
        }
        if (format === "jsonl" && !/(?:^|\n)\{"end":\{[^\n]*\}\}\n$/.test(tail.toString()))
          throw new ReadingError("unavailable", "The export ended before its last line: it is not whole.");
      }),
    );
}
