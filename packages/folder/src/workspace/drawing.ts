/** The parts of a drawing in which Excalidraw keeps what it needs, and their headings. */
const part = /^#{1,2} (Excalidraw Data|Text Elements|Element Links|Embedded Files|Drawing)[ \t]*$/;
/** The drawing as JSON, or compressed. */
const drawn = /^#{1,2} Drawing[ \t]*\n+(?:```(?:compressed-)?json|\{)|^```compressed-json/m;
/** The notice for a reader who opens the file as a text. */
const notice = /^==⚠.*⚠==/;
/** The sign of an element in its line: at the end of its words, or before what it links to or embeds. */
const idAfterWords = /(?:^|[ \t])\^[\w-]{8}[ \t]*$/;
const idBeforeTarget = /^[\w-]{8,64}: (?=\S)/;

/** Whether a file is a drawing of Excalidraw, as the plug-in of Obsidian writes it (https://github.com/zsviczian/obsidian-excalidraw-plugin). */
export function isDrawing(name: string, data: Readonly<Record<string, unknown>>): boolean {
  return /\.excalidraw\.mdx?$/i.test(name) || Object.hasOwn(data, "excalidraw-plugin");
}

/** The text of a drawing: the note on its back, the words in it, and what it links to and embeds, each on a line. */
export function wordsOfDrawing(body: string): string {
  const lines = body.slice(0, drawn.exec(body)?.index).split("\n");
  const first = lines.findIndex((line) => part.test(line));
  const start = first === -1 ? lines.length : first;
  const back = lines.slice(0, start).filter((line) => !notice.test(line));
  const signs = back.flatMap((line, index) => (isCommentSign(line) ? [index] : []));
  // The last of an odd number begins a comment around the parts, which are what is drawn all the same.
  const end = signs.length % 2 === 0 ? back.length : signs.at(-1);
  const words = lines.slice(start).filter((line) => !part.test(line) && !isCommentSign(line));
  return [...back.slice(0, end), ...words.map(wordsOfLine)].join("\n");
}

function isCommentSign(line: string): boolean {
  return line.trim() === "%%";
}

function wordsOfLine(line: string): string {
  return line.trim().replace(idAfterWords, "").replace(idBeforeTarget, "");
}
