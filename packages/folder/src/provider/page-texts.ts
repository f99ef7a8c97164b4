import { type LanesOptions, ReadingLanes, ThreadError } from "@clew/threads";
import type { Dialect } from "../dialects/dialect.ts";
import type { Used } from "../document/bounds.ts";
import type { LinkTarget } from "../document/references.ts";
import type { Flavour } from "../document/regions.ts";
import type { Entry } from "../workspace/entry.ts";
import type { ScannedFile } from "../workspace/scanned-file.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A page whose text is read, from its first piece or a later one. */
export interface PageCall {
  /** Names the reading in questions. */
  readonly reading: number;
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly flavour: Flavour;
  readonly dialect: Dialect["id"];
  /** Pieces that were sent already, and what they used of the page's bounds. */
  readonly skip: number;
  readonly used: Used;
}

/** A piece of a page's text. */
export interface PagePart {
  /** In the Markdown of docs/markdown.md. */
  readonly markdown: string;
  /** Whether it begins with further rows of the table with which the piece before ends. */
  readonly continuesTable: boolean;
  /** Blocks that have no Markdown in Clew. */
  readonly unsupported: number;
  readonly used: Used;
}

/** How a reading ended. */
export interface PageEnd {
  /** The last piece, which was not sent before; null for an empty text. */
  readonly last: PagePart | null;
  /** Why the text was cut; null if it is whole. */
  readonly cut: string | null;
}

/** The links of a piece, as they are written. */
export interface LinkQuestion {
  readonly reading: number;
  readonly hyperlinks: readonly string[];
  readonly wikiLinks: readonly string[];
}

/** The targets of the links of a piece, and the titles of these pages. */
export interface LinkAnswers {
  readonly hyperlinks: ReadonlyMap<string, LinkTarget>;
  readonly wikiLinks: ReadonlyMap<string, LinkTarget>;
  readonly titles: ReadonlyMap<string, string>;
}

/** The text of a page. */
export interface PageText {
  readonly markdown: string;
  /** Blocks that have no Markdown in Clew. */
  readonly unsupported: number;
  /** Why the text was cut; null if it is whole. */
  readonly cut: string | null;
}

/** Enough for a piece of a text. */
const maxHeapMb = 192;
const maxYoungMb = 16;

/** Code units of texts that are kept because reading them again would take as long. */
const maxKeptChars = 8_000_000;

const nothingUsed: Used = { cells: 0, links: 0 };

/** Reads the texts of pages in threads of their own, so that no text holds up the thread that knows the folders. */
export class PageTexts {
  readonly #lanes: ReadingLanes<PageCall, PageEnd, PagePart>;
  readonly #links = new Map<number, (question: LinkQuestion) => LinkAnswers>();
  /** The texts of files that reached a limit of time or memory, the latest last: they are not read again before they change. */
  readonly #kept = new Map<ScannedFile, PageText>();
  #readings = 0;

  constructor(limits: Pick<LanesOptions, "limitMs"> = {}) {
    this.#lanes = new ReadingLanes({
      ...limits,
      module: new URL("./page-worker.ts", import.meta.url),
      quickThreads: 2,
      maxHeapMb,
      maxYoungMb,
      // Only page-worker.ts asks.
      onQuestion: async (question) => this.#answer(question as LinkQuestion),
    });
  }

  /** Reads the text of a page. Pages of different owners take turns. */
  async read(workspace: Workspace, page: Entry, owner: object): Promise<PageText> {
    const kept = page.file === null ? undefined : this.#kept.get(page.file);
    if (kept !== undefined) return kept;
    this.#readings += 1;
    const reading = this.#readings;
    const parts: PagePart[] = [];
    this.#links.set(reading, (question) => answersOf(workspace, page, question));
    const { id, title, body } = page;
    const { flavour, dialect } = workspace.rulesOf(page);
    try {
      const { last, cut } = await this.#lanes.read({
        owner,
        length: body.length,
        callFrom: (skip) => ({
          ...{ reading, id, title, body, flavour, dialect, skip },
          used: parts.at(-1)?.used ?? nothingUsed,
        }),
        onPart: (part) => parts.push(part),
      });
      return textOf(last === null ? parts : [...parts, last], cut);
    } catch (error) {
      const limit = error instanceof ThreadError ? limits[error.failure] : undefined;
      if (limit === undefined) throw error;
      const text = textOf(parts, limit);
      if (page.file !== null) this.#keep(page.file, text);
      return text;
    } finally {
      this.#links.delete(reading);
    }
  }

  #answer(question: LinkQuestion): LinkAnswers | null {
    return this.#links.get(question.reading)?.(question) ?? null;
  }

  #keep(file: ScannedFile, text: PageText): void {
    this.#kept.set(file, text);
    let chars = 0;
    for (const { markdown } of this.#kept.values()) chars += markdown.length;
    for (const [oldest, { markdown }] of this.#kept) {
      if (chars <= maxKeptChars) break;
      chars -= markdown.length;
      this.#kept.delete(oldest);
    }
  }
}

/** The targets of links, in a form that can be sent to a thread. */
function answersOf(workspace: Workspace, page: Entry, { hyperlinks, wikiLinks }: LinkQuestion): LinkAnswers {
  const links = workspace.linksOf(page);
  const titles = new Map<string, string>();
  const sent = (target: LinkTarget): LinkTarget => {
    if (target.kind !== "entry") return target;
    const { id, kind } = target.entry;
    titles.set(id, workspace.entry(id)?.title ?? "");
    return { ...target, entry: { id, kind } };
  };
  return {
    hyperlinks: new Map(hyperlinks.map((target) => [target, sent(links.hyperlink(target))])),
    wikiLinks: new Map(wikiLinks.map((target) => [target, sent(links.wikiLink(target))])),
    titles,
  };
}

/** The limits of a thread, in words for the owner of a page. */
const limits: Partial<Record<ThreadError["failure"], string>> = {
  slow: "it takes too much processor time to read",
  memory: "it takes too much memory to read",
};

/** The mark with which a text ends that was cut. */
const cutMark = "[The rest of this page was not read.]";

function textOf(parts: readonly PagePart[], cut: string | null): PageText {
  let markdown = "";
  for (const part of parts) {
    if (part.markdown === "") continue;
    const isTable = part.continuesTable && markdown.endsWith(tableEnd);
    if (isTable)
      markdown = markdown.slice(0, -tableEnd.length) + part.markdown.slice(part.markdown.indexOf("\n"));
    else markdown += (markdown === "" ? "" : "\n") + part.markdown;
  }
  if (cut !== null) markdown += (markdown === "" ? "" : "\n") + cutMark.replace(/[[\]]/g, "\\$&");
  return { markdown, unsupported: parts.reduce((count, { unsupported }) => count + unsupported, 0), cut };
}

const tableEnd = "\n</table>";
