/** The title that a text gives itself: `title` of its front matter, else its first heading of level one. */
export function titleIn(data: Readonly<Record<string, unknown>>, body: string): string | null {
  const title = data.title;
  if (typeof title === "string" && title.trim() !== "") return oneLine(title);
  if (typeof title === "number" || typeof title === "boolean") return String(title);
  return firstHeading(body);
}

/** `build-a_server.mdx` → `Build a server`. Dates and versions such as `2025-11-25` stay as they are. */
export function prettyName(fileName: string): string {
  const name = fileName.replace(/\.mdx?$/i, "");
  if (/^[\d.\-_]+$/.test(name)) return name;
  const words = name.replace(/[-_]+/g, " ").trim();
  return words === "" ? name : words.charAt(0).toLocaleUpperCase("en") + words.slice(1);
}

const fence = /^ {0,3}(`{3,}|~{3,})/;

/** The text of the first `# heading` or heading underlined by `=`, outside of code. */
function firstHeading(body: string): string | null {
  let open: string | null = null;
  let previous = "";
  for (const line of lines(body)) {
    const marker = fence.exec(line)?.[1];
    if (marker !== undefined) {
      if (open === null) open = marker;
      else if (marker.startsWith(open)) open = null;
    } else if (open === null) {
      const heading = /^ {0,3}#(?:[ \t]+|$)(.*)$/.exec(line)?.[1]?.replace(/[ \t]+#+[ \t]*$/, "");
      const text = heading ?? (/^ {0,3}=+[ \t]*$/.test(line) ? previous : "");
      if (text.trim() !== "") return oneLine(plainInline(text));
    }
    previous = line;
  }
  return null;
}

function* lines(text: string): Generator<string> {
  let start = 0;
  while (start <= text.length) {
    const end = text.indexOf("\n", start);
    yield text.slice(start, end === -1 ? undefined : end);
    if (end === -1) return;
    start = end + 1;
  }
}

/** A heading's words without the marks of links, code and emphasis. */
function plainInline(text: string): string {
  return text
    .slice(0, 1000)
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, "$1")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<\/?[A-Za-z][^>]*>/g, "")
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, "$2")
    .replace(/(?<![\w*])([*_])(.+?)\1(?![\w*])/g, "$2")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
