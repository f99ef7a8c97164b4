const terminal = process.stdout.isTTY === true;
const style = (code: number) => (text: string) => (terminal ? `\u001b[${code}m${text}\u001b[0m` : text);

const bold = style(1);
const dim = style(2);

/** The width of printed JSON. */
const maxColumns = 100;
/** Longer responses are cut. */
const maxLines = 40;

export function printHeading(text: string): void {
  console.log(`\n${bold(`# ${text}`)}`);
}

export function printNote(text: string): void {
  console.log(dim(text));
}

/** Prints a command that a reader can copy. */
export function printCommand(command: string): void {
  console.log(`$ ${command}`);
}

/** Prints a JSON response. */
export function printAnswer(body: unknown): void {
  const lines = formatJson(body, maxColumns).split("\n");
  console.log(lines.slice(0, maxLines).join("\n"));
  if (lines.length > maxLines) printNote(`… ${lines.length - maxLines} more lines`);
}

/** Prints progress: on a terminal in one line that changes, elsewhere in a line for each change. */
export function progressPrinter(): { print(text: string): void; end(): void } {
  let last = "";
  return {
    print(text) {
      if (terminal) process.stdout.write(`\r\u001b[2K${text}`);
      else if (text !== last) console.log(text);
      last = text;
    },
    end() {
      if (terminal) process.stdout.write("\r\u001b[2K");
    },
  };
}

/** Formats JSON for people: values that fit into the columns stay on one line. */
export function formatJson(value: unknown, columns: number, indent = ""): string {
  const line = onOneLine(value);
  if (typeof value !== "object" || value === null || indent.length + line.length <= columns) return line;
  const deeper = `${indent}  `;
  const inner = Array.isArray(value)
    ? value.map((item) => formatJson(item, columns, deeper))
    : Object.entries(value).map(
        ([name, item]) => `${JSON.stringify(name)}: ${formatJson(item, columns, deeper)}`,
      );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${deeper}${inner.join(`,\n${deeper}`)}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${onOneLine(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
