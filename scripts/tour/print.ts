import { formatJson } from "./format-json.ts";

const terminal = process.stdout.isTTY === true;
const style = (code: number) => (text: string) => (terminal ? `\u001b[${code}m${text}\u001b[0m` : text);

const bold = style(1);
const dim = style(2);

/** Columns that an answer may take, and lines of it that are shown; the rest is counted. */
const columns = 100;
const shownLines = 40;

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

/** Prints a JSON answer, cut where it is long. */
export function printAnswer(text: string): void {
  const lines = formatJson(JSON.parse(text), columns).split("\n");
  console.log(lines.slice(0, shownLines).join("\n"));
  if (lines.length > shownLines) printNote(`… ${lines.length - shownLines} more lines`);
}

/**
 * Gives a printer of how far something is. On a terminal one line is written over by the next; elsewhere a line is
 * printed when it says something new.
 */
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
