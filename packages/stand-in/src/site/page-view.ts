import { type Entry, type Marks, type PlacedBlock, parseId, type Span, type Workspace } from "@clew/folder";
import { siteAddresses } from "../notion/view.ts";
import { type Html, html, layout } from "./layout.ts";

/** A page or database as plain HTML; null if it does not exist or is in the trash. */
export function pageView(workspace: Workspace, basePath: string, idText: string): string | null {
  const id = parseId(idText);
  const entry = id === null ? null : visible(workspace, id);
  if (entry === null) return null;
  const write = createWriter(workspace, basePath);
  const title = entry.title || "Untitled";
  return layout(
    basePath,
    title,
    html`
    <p class="notice">A page of the demo workspace <b>${workspace.name}</b>. Everyone who signs in there can read it.</p>
    <article class="page">
      ${entry.parent === null ? "" : html`<p class="small">In ${write.link(entry.parent)}</p>`}
      <h1>${title}</h1>
      ${entry.kind === "page" ? write.blocks(workspace.blocks(entry)) : write.rows(entry)}
    </article>`,
  );
}

/** The page in place of one that only people who have signed in may read. */
export function signInFirst(basePath: string, signInUrl: string | null): string {
  const signIn = signInUrl === null ? html`Sign in` : html`<a href="${signInUrl}">Sign in</a>`;
  return layout(
    basePath,
    "Sign in first",
    html`
    <h1>Sign in first</h1>
    <p>Pages of the demo workspace are shown in browsers that signed in there within the last seven days.
      ${signIn}, then open this address again.</p>`,
  );
}

function visible(workspace: Workspace, id: string): Entry | null {
  const entry = workspace.entry(id);
  return entry === null || entry.inTrash ? null : entry;
}

const linkable = new Set(["http:", "https:", "mailto:"]);

/** Renders parts of a page. */
function createWriter(workspace: Workspace, basePath: string) {
  const addresses = siteAddresses(basePath);

  const link = (entry: Entry): Html =>
    html`<a href="${addresses.of(entry)}">${entry.title || "Untitled"}</a>`;

  const linkTo = (id: string, words: Html): Html =>
    visible(workspace, id) === null ? words : html`<a href="${addresses.ofId(id)}">${words}</a>`;

  const address = (url: string, words: Html): Html =>
    linkable.has(URL.parse(url)?.protocol ?? "")
      ? html`<a href="${url}" rel="noreferrer">${words}</a>`
      : words;

  const span = (piece: Span): Html => {
    if (piece.kind === "mention") {
      const target = visible(workspace, piece.id);
      const words = (piece.alias ?? target?.title) || "Untitled";
      // Brackets separate the text of an unresolved link from the words around it.
      const written = target === null ? html`[[${words}]]` : linkTo(piece.id, html`${words}`);
      return marked(written, piece.marks);
    }
    const words = marked(html`${piece.text}`, piece.marks);
    if (piece.link === null) return words;
    return piece.link.kind === "entry" ? linkTo(piece.link.id, words) : address(piece.link.url, words);
  };

  const text = (spans: readonly Span[]): Html => join(spans.map(span));

  const item = ({ block, children }: PlacedBlock): Html => {
    const box = block.type === "to_do" ? boxOf(block) : "";
    const content = html`${box}${"text" in block ? text(block.text) : ""}${blocks(children)}`;
    return block.type === "numbered_list_item"
      ? html`<li value="${String(block.number)}">${content}</li>`
      : html`<li>${content}</li>`;
  };

  const row = ({ block }: PlacedBlock): Html =>
    html`<tr>${block.type === "table_row" ? block.cells.map((cell) => html`<td>${text(cell)}</td>`) : ""}</tr>`;

  const one = (placed: PlacedBlock): Html => {
    const { block, children } = placed;
    switch (block.type) {
      case "heading":
        return join([heading(block.level, text(block.text)), blocks(children)]);
      case "quote":
      case "callout":
        return html`<blockquote>${text(block.text)}${blocks(children)}</blockquote>`;
      case "code":
        return html`<pre><code>${block.code}</code></pre>`;
      case "equation":
        return html`<pre><code>${block.expression}</code></pre>`;
      case "divider":
        return html`<hr>`;
      case "image":
        // Pages load no images from other servers.
        return html`<p>${address(block.url, html`${block.caption || "Image"}`)}</p>`;
      case "table":
        return html`<table>${children.map(row)}</table>`;
      case "child": {
        const entry = visible(workspace, block.id);
        return entry === null ? html`` : html`<p>${link(entry)}</p>`;
      }
      default:
        return html`<p>${"text" in block ? text(block.text) : ""}</p>${blocks(children)}`;
    }
  };

  /** Neighbours in one list stand in one element. */
  const blocks = (placed: readonly PlacedBlock[]): Html => {
    const written: Html[] = [];
    for (let index = 0; index < placed.length; ) {
      const list = listOf(placed[index]);
      const end = placed.findIndex((next, at) => at > index && (list === null || listOf(next) !== list));
      const run = placed.slice(index, end === -1 ? placed.length : end);
      if (list === null) written.push(...run.map(one));
      else if (list === "ol") written.push(html`<ol>${run.map(item)}</ol>`);
      else written.push(html`<ul>${run.map(item)}</ul>`);
      index += run.length;
    }
    return join(written);
  };

  const rows = ({ children }: Entry): Html =>
    html`<ul>${children.filter(({ inTrash }) => !inTrash).map((child) => html`<li>${link(child)}</li>`)}</ul>`;

  return { link, blocks, rows };
}

function listOf(placed: PlacedBlock | undefined): "ol" | "ul" | null {
  switch (placed?.block.type) {
    case "numbered_list_item":
      return "ol";
    case "bulleted_list_item":
    case "to_do":
      return "ul";
    default:
      return null;
  }
}

/** Headings start at level 2, because the page's title is level 1. */
const boxOf = ({ checked }: { readonly checked: boolean }) => (checked ? "☑ " : "☐ ");

function heading(level: number, words: Html): Html {
  if (level === 1) return html`<h2>${words}</h2>`;
  return level === 2 ? html`<h3>${words}</h3>` : html`<h4>${words}</h4>`;
}

function marked(words: Html, { bold, italic, strikethrough, code }: Marks): Html {
  let set = words;
  if (code) set = html`<code>${set}</code>`;
  if (strikethrough) set = html`<s>${set}</s>`;
  if (italic) set = html`<em>${set}</em>`;
  if (bold) set = html`<strong>${set}</strong>`;
  return set;
}

function join(parts: readonly Html[]): Html {
  return html`${parts}`;
}
