import type { Broken, Client } from "@clew/client";
import { graphLimits } from "@clew/contract";
import { Argument } from "commander";
import { pageHelp, type ReadingCommands } from "./commands.ts";
import { readingError } from "./connect.ts";
import { exitCodes, ReadingError } from "./exit-codes.ts";
import { jsonLine, type Printing, write } from "./output.ts";
import { findPage, findWorkspace, shortIds } from "./pages.ts";
import { plainText } from "./table.ts";

/*
 * `clew check broken`, for pipelines: a line for each fault, and 1 as the exit code if there is any.
 */

interface CheckOptions extends Printing {
  readonly workspace?: string;
  readonly under?: string;
}

const exitHelp = `
Each broken link is a line: its page, the sentence around it, its target. With --json, it is a line of JSON.
In place of the codes above: 0 no link is broken, 1 some are.`;

export function check(commands: ReadingCommands): void {
  const { context } = commands;
  commands
    .add("check", "look for broken links: to pages that are not shared or do not exist")
    .addArgument(new Argument("<what>", "what to look for").choices(["broken"]))
    .option("--workspace <workspace>", "only in this workspace: its id or name")
    .option("--under <page>", `only ${pageHelp} and what is below it`)
    .option("--json", "print JSON lines")
    .addHelpText("after", exitHelp)
    .action(
      commands.action(async (client, _what: string, options: CheckOptions) => {
        const found = await brokenLinks(client, options).catch((error) => {
          throw withoutNothing(readingError(error, context.env));
        });
        const short = shortIds(found.map(({ node }) => node.id));
        for (const item of found)
          await write(context, options.json === true ? jsonLine(item) : lineOf(item, short));
        if (found.length > 0)
          throw new ReadingError("found", `${found.length} broken ${found.length === 1 ? "link" : "links"}.`);
        await requireCompleteSync(client, options);
      }),
    );
}

async function brokenLinks(client: Client, { workspace, under }: CheckOptions): Promise<Broken["items"]> {
  const input = {
    workspace_id: await findWorkspace(client, workspace),
    under: under === undefined ? undefined : await findPage(client, under),
    limit: graphLimits.broken.maximum,
  };
  const found: Broken["items"] = [];
  for await (const item of client.iterate("listBrokenLinks", input)) found.push(item);
  return found;
}

/** A page that does not exist is a wrong argument here: the code for nothing is that of broken links. */
const withoutNothing = (error: unknown): unknown =>
  error instanceof ReadingError && error.exitCode === exitCodes.nothing
    ? new ReadingError("usage", error.message)
    : error;

function lineOf(
  { node, name, target_id, excerpts }: Broken["items"][number],
  short: ReadonlyMap<string, string>,
) {
  const page = `${node.title || "Untitled"} [${short.get(node.id)}]`;
  const [first] = excerpts;
  const target = name === null ? target_id : `${name} [${target_id}]`;
  return `${plainText(`${page}: ${first === undefined ? "" : `“${first.text}” `}→ ${target}`)}\n`;
}

/** Throws a `ReadingError` if a workspace was never read completely: its links may be broken nevertheless. */
async function requireCompleteSync(client: Client, { workspace }: CheckOptions): Promise<void> {
  const wanted = await findWorkspace(client, workspace);
  const { items } = await client.listWorkspaces();
  const partial = items.find(
    ({ id, complete_as_of }) => complete_as_of === null && (wanted === undefined || id === wanted),
  );
  if (partial === undefined) return;
  const name = plainText(partial.name ?? partial.id);
  throw new ReadingError(
    "unavailable",
    `No broken link was found so far, but no sync of ${name} has been complete.`,
  );
}
