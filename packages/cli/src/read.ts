import type { Edge, Node } from "@clew/client";
import { graphLimits } from "@clew/contract/vocabulary";
import { count, pageHelp, type ReadingCommands } from "./commands.ts";
import { ReadingError } from "./exit-codes.ts";
import { isForPeople, jsonLine, type Printing, safeText, write } from "./output.ts";
import { findPage, shortIds } from "./pages.ts";

export function read(commands: ReadingCommands): void {
  const { context } = commands;
  commands
    .add("read", "print the text of a page as Markdown")
    .argument("<page>", pageHelp)
    .option("--json", "print JSON with title, place, properties and links to pages that are not shared")
    .action(
      commands.action(async (client, page: string, { json }: Printing) => {
        const id = await findPage(client, page);
        const parts: string[] = [];
        let offset: number | null = 0;
        let isWhole = true;
        while (offset !== null) {
          const content = await client.getPageContent({ id, offset, max_chars: 200_000 });
          parts.push(content.markdown);
          isWhole &&= content.truncated !== true;
          offset = content.next_offset;
        }
        const markdown = parts.join("");
        if (json === true) {
          const page = { ...(await client.getPage({ id })), markdown };
          return write(context, jsonLine(isWhole ? page : { ...page, truncated: true }));
        }
        if (markdown === "") {
          const { content_state: state } = await client.getPage({ id });
          throw new ReadingError("nothing", `The page has no text (${state}).`);
        }
        const text = markdown.endsWith("\n") ? markdown : `${markdown}\n`;
        await write(context, context.stdout.isTTY === true ? safeText(text) : text);
        if (!isWhole) context.warn("The page could not be read whole: a part of its text is missing.");
      }),
    );
}

interface PathOptions extends Printing {
  readonly paths: number;
  readonly depth: number;
  readonly avoidHubs?: boolean;
}

export function path(commands: ReadingCommands): void {
  const { context } = commands;
  commands
    .add("path", "find the shortest paths between two pages")
    .argument("<from>", pageHelp)
    .argument("<to>", pageHelp)
    .option("--paths <count>", "how many paths at most", count(1, 20), 1)
    .option("--depth <steps>", "how long at most", count(1, 10), 6)
    .option(
      "--avoid-hubs",
      `go around pages with more than ${graphLimits.paths.maxEdgesInBetween} links, if possible`,
    )
    .option("--json", "print JSON lines")
    .action(
      commands.action(async (client, start: string, end: string, options: PathOptions) => {
        const { json, paths: maxPaths, depth, avoidHubs = false } = options;
        const [from, to] = [await findPage(client, start), await findPage(client, end)];
        const avoid = avoidHubs ? "hubs" : undefined;
        const { status, paths } = await client.findPaths({
          from,
          to,
          max_paths: maxPaths,
          max_depth: depth,
          avoid,
        });
        const reasons = {
          found: "",
          none: "No path from one to the other was found.",
          depth_reached: `No path of ${depth} steps or fewer was found: --depth looks further.`,
          budget_reached: "No path was found before the limit of the search.",
        };
        if (paths.length === 0) throw new ReadingError("nothing", reasons[status]);
        const isTable = isForPeople(context, json);
        for (const path of paths) await write(context, isTable ? safeText(pathText(path)) : jsonLine(path));
      }),
    );
}

/** `Jupiter -link-> Earth <-mention- Crux`. */
function pathText({
  nodes,
  edges,
}: {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
}): string {
  const short = shortIds(nodes.map(({ id }) => id));
  const words = nodes.flatMap(({ id, title }, index) => {
    const edge = edges[index - 1];
    const page = `${title.replaceAll(/\s+/g, " ") || "Untitled"} [${short.get(id)}]`;
    if (edge === undefined) return [page];
    const label = edge.name ?? edge.type;
    return [edge.to === id ? `-${label}->` : `<-${label}-`, page];
  });
  return `${words.join(" ")}\n`;
}
