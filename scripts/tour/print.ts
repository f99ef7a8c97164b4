const terminal = process.stdout.isTTY === true;
const style = (code: number) => (text: string) => (terminal ? `\u001b[${code}m${text}\u001b[0m` : text);

const bold = style(1);
const dim = style(2);

/** Lines of an answer that are shown; the rest is counted. */
const shownLines = 24;

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

/** Prints an answer, cut where it is long. */
export function printAnswer(text: string): void {
  const lines = text.trimEnd().split("\n");
  console.log(lines.slice(0, shownLines).join("\n"));
  if (lines.length > shownLines) printNote(`… ${lines.length - shownLines} more lines`);
}

/** A line that says how far something is; on a terminal it is written over by the next one. */
export function printProgress(text: string): void {
  if (terminal) process.stdout.write(`\r\u001b[2K${text}`);
  else console.log(text);
}

export function endProgress(): void {
  if (terminal) process.stdout.write("\n");
}
