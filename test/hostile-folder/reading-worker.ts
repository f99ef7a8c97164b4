import type { FileHandle } from "node:fs/promises";
import { dialectNamed } from "../../packages/folder/src/dialects/detect.ts";
import { dialectIds } from "../../packages/folder/src/dialects/dialect.ts";
import { placeBlocks } from "../../packages/folder/src/document/block.ts";
import { PageBounds } from "../../packages/folder/src/document/bounds.ts";
import { parsePieces } from "../../packages/folder/src/document/read-document.ts";
import type { LinkTarget } from "../../packages/folder/src/document/references.ts";
import { enhancedMarkdown } from "../../packages/folder/src/document/write-markdown.ts";
import { hasSameSections } from "../../packages/folder/src/links/sections.ts";
import { writtenAddresses } from "../../packages/folder/src/provider/addresses.ts";
import { listedNode } from "../../packages/folder/src/provider/listed-node.ts";
import { textTasks } from "../../packages/folder/src/provider/text-tasks.ts";
import type { Entry } from "../../packages/folder/src/workspace/entry.ts";
import type { ScannedFolder } from "../../packages/folder/src/workspace/scan.ts";
import { readWhole, type ScannedFile } from "../../packages/folder/src/workspace/scanned-file.ts";
import { createWorkspace, type Workspace } from "../../packages/folder/src/workspace/workspace.ts";
import { pageTokens, SegmentBuilder } from "../../packages/text-index/src/index.ts";
import { answerCalls } from "../../packages/threads/src/index.ts";
import type { ReadCall, Stage, StageNews } from "./read-one.ts";

// Reads a file at every stage at which Clew reads it, by the rules of each tool, with the processor time of each stage.

answerCalls<ReadCall, null, StageNews>(async ({ name, bytes, parsedBy }, send) => {
  const timed = async <T>(stage: Stage, what: string, work: () => T | Promise<T>): Promise<T> => {
    send({ begins: what });
    const start = process.threadCpuUsage();
    const result = await work();
    const { user, system } = process.threadCpuUsage(start);
    send({ ended: what, stage, ms: (user + system) / 1_000 });
    return result;
  };
  for (const dialect of [...dialectIds, "none"] as const) {
    // Another object each time: what is known of a file is kept by its object.
    const file = await timed("folder", "decode", () => scanned(name, bytes));
    const folder = folderOf(file, dialect);
    const at = (what: string) => `${dialect}: ${what}`;
    const open = () => createWorkspace(folder, "a", { dates: { git: new Map(), now: 2e12 } });
    const workspace = await timed("folder", at("front matter, title, tree"), open);
    const page = workspace.topLevel[0];
    if (page === undefined) continue;
    const folderTasks: Readonly<Record<string, () => unknown>> = {
      tags: () => workspace.tags(),
      "links and properties": () => workspace.leadsTo(page),
      sections: () => hasSameSections(page, { ...page, body: `${page.body} ` }),
      node: () => listedNode(page, workspace, workspace.tags()),
    };
    for (const [what, work] of Object.entries(folderTasks)) await timed("folder", at(what), work);
    if (!parsedBy.includes(dialect)) continue;
    const markdown = await readText(workspace, page, timed);
    const content = await timed("content", at("content"), () => textTasks.content(markdown, null));
    await timed("index", at("index"), () => {
      const builder = new SegmentBuilder();
      const { title, aliases } = page;
      const source = { title, aliases, properties: [], markdown: content.markdown };
      builder.add(new Uint8Array(16), 1, pageTokens(source, builder.terms));
    });
  }
  return null;
});

/** Reads the text of a page as `page-worker.ts` does; the time of each question to the folders' thread is a stage of its own. */
async function readText(
  workspace: Workspace,
  page: Entry,
  timed: <T>(stage: Stage, what: string, work: () => T | Promise<T>) => Promise<T>,
): Promise<string> {
  const { flavour, dialect } = workspace.rulesOf(page);
  const texts: string[] = [];
  const bounds = new PageBounds();
  const begun = () => {
    const body = dialectNamed(dialect).prepare?.(page.body) ?? page.body;
    return parsePieces(body, flavour);
  };
  const pieces = await timed("text", `${dialect}: prepare`, begun);
  for (;;) {
    const next = await timed("text", `${dialect}: parse`, () => pieces.next());
    if (next.done === true) break;
    const piece = next.value;
    const [hyperlinks, wikiLinks] = [new Set<string>(), new Set<string>()];
    const collect = (into: Set<string>) => (target: string) => {
      into.add(target);
      return { kind: "elsewhere" } as const;
    };
    await timed("text", `${dialect}: links`, () =>
      piece.document(
        { hyperlink: collect(hyperlinks), wikiLink: collect(wikiLinks) },
        PageBounds.from(bounds.used),
      ),
    );
    const links = workspace.linksOf(page);
    const resolved = await timed("folder", `${dialect}: where links lead`, () => ({
      hyperlinks: new Map([...hyperlinks].map((each) => [each, links.hyperlink(each)] as const)),
      wikiLinks: new Map([...wikiLinks].map((each) => [each, links.wikiLink(each)] as const)),
    }));
    const elsewhere: LinkTarget = { kind: "elsewhere" };
    await timed("text", `${dialect}: write`, () => {
      const { blocks } = piece.document(
        {
          hyperlink: (target) => resolved.hyperlinks.get(target) ?? elsewhere,
          wikiLink: (target) => resolved.wikiLinks.get(target) ?? elsewhere,
        },
        bounds,
      );
      const names = { addresses: writtenAddresses, entry: () => null, titleOf: () => "Untitled" };
      const placed = placeBlocks(page.id, blocks, `${texts.length}/`);
      texts.push(enhancedMarkdown(page, placed, names, Number.POSITIVE_INFINITY).markdown);
    });
    if (bounds.cut !== null) break;
  }
  return texts.join("\n");
}

/** A file as a scan reads it. */
async function scanned(path: string, bytes: Uint8Array): Promise<ScannedFile> {
  const stats = {
    isFile: () => true,
    size: bytes.length,
    dev: 1,
    ino: 1,
    ctimeMs: 1,
    mtimeMs: 1,
    birthtimeMs: 1,
  };
  const handle = {
    stat: async () => stats,
    async read(buffer: Uint8Array, _: number, length: number, at: number) {
      buffer.set(bytes.subarray(at, at + length), at);
      return { bytesRead: length };
    },
  };
  // It has the methods that `readWhole` calls.
  const { file } = await readWhole(handle as unknown as FileHandle, path);
  return file;
}

/** A folder with a file and the name of a dialect; with `none`, the form of the file tells. */
function folderOf(file: ScannedFile, dialect: string): ScannedFolder {
  const identity: ScannedFile = {
    ...file,
    path: "_workspace.yml",
    name: "_workspace.yml",
    text: dialect === "none" ? "" : `dialect: ${dialect}\n`,
  };
  return {
    ...{ path: "", diskPath: "", name: "", identity: "1", folders: [], others: [], skipped: [] },
    files: [file],
    descriptions: new Map([["_workspace.yml", identity]]),
    tools: new Map(),
    read: new Map(),
    createdAt: 1,
    editedAt: 1,
  };
}
