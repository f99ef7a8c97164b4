/** Parameters of a query; those that are undefined are left out, and lists are repeated. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** A request to V1 as a command for the terminal. The token stays in a variable, out of the shell's history. */
export function curlOf(clew: URL, path: string, query: Query = {}): string {
  const url = new URL(`api/v1/${path}`, clew);
  for (const [name, value] of Object.entries(query))
    for (const each of value === undefined ? [] : [value].flat()) url.searchParams.append(name, String(each));
  // In a URL all that a shell would read in double quotes is encoded.
  return `curl --fail-with-body -H "Authorization: Bearer $CLEW_TOKEN" "${url}"`;
}

/** A call of a tool, as MCP clients send it: the whole body of a request. */
export function toolCallOf(name: string, args: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
    null,
    2,
  );
}
