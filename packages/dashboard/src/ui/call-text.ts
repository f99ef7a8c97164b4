/** Parameters of a query; those that are undefined are left out, and lists are repeated. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** A request to V1 as a command for the terminal. The token stays in a variable, out of the shell's history. */
export function curlOf(clew: URL, path: string, query: Query = {}): string {
  const lines = [
    `curl --fail-with-body --get ${quoted(new URL(`api/v1/${path}`, clew).href)}`,
    '-H "Authorization: Bearer $CLEW_TOKEN"',
    ...Object.entries(query).flatMap(([name, value]) =>
      (value === undefined ? [] : [value].flat()).map(
        (each) => `--data-urlencode ${quoted(`${name}=${each}`)}`,
      ),
    ),
  ];
  return lines.join(" \\\n  ");
}

/** A call of a tool, as MCP clients send it. */
export function toolCallOf(name: string, args: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ method: "tools/call", params: { name, arguments: args } }, null, 2);
}

/** A word of a POSIX shell that stands for exactly this text. */
function quoted(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
