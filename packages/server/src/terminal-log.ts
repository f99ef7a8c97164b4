import { withInvisibleEscaped } from "@clew/contract/hidden-characters";

/** Takes lines of the log. */
export interface LineStream {
  write(line: string): void;
}

/** Shows the log on a terminal, in a form for people. */
export async function openTerminalLog(): Promise<LineStream> {
  const { default: pretty } = await import("pino-pretty");
  const shown = pretty({ ignore: "pid,hostname", singleLine: true });
  return { write: (line) => void shown.write(plainLine(line)) };
}

/**
 * A line of the log whose texts cannot control a terminal. Anyone can send a `User-Agent`, and a file of a folder can have any name:
 * JSON escapes some control characters only, and a terminal gets the texts of a message as they are.
 */
export function plainLine(line: string): string {
  const plain = (_: string, value: unknown) =>
    typeof value === "string" ? value.split("\n").map(plainText).join("\n") : value;
  return `${JSON.stringify(JSON.parse(line, plain))}\n`;
}

const plainText = (text: string): string => withInvisibleEscaped(text.replaceAll(/\p{Cc}/gu, " "));
