import { type Example, requestPath } from "../openapi/examples.ts";
import type { Way } from "./document.ts";

/** The variables of the terminal that hold credentials: a token on the command line would stay in the shell's history. */
const variables: Readonly<Record<Way["credentials"], string | null>> = {
  "service-token": "CLEW_TOKEN",
  session: "CLEW_ACCESS_TOKEN",
  none: null,
};

/** The most characters of a line of a command. */
const width = 80;

/**
 * Writes a request as a command for the terminal. `url` is PUBLIC_URL without a trailing slash. A URL that is made by
 * `requestPath` has nothing that a shell reads inside double quotes.
 */
export function curlLine(
  url: string,
  { method, path, credentials }: Pick<Way, "method" | "path" | "credentials">,
  example: Pick<Example, "parameters" | "accept" | "body" | "bytes">,
): string {
  const { accept, body, bytes } = example;
  const variable = variables[credentials];
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const words = [
    "curl --fail-with-body",
    ...(method === "GET" || (method === "POST" && body !== undefined) ? [] : [`-X ${method}`]),
    ...(variable === null ? [] : [`-H "Authorization: Bearer $${variable}"`]),
    ...(accept === undefined || bytes !== undefined ? [] : [`-H "Accept: ${accept}"`]),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quote(JSON.stringify(body))}`]),
    ...(bytes === undefined ? [] : ["-o answer.bin"]),
    `"${url}${requestPath(path, example)}"`,
  ];
  const line = words.join(" ");
  // A backslash at the end of a line continues the command.
  return line.length <= width ? line : words.join(" \\\n  ");
}
