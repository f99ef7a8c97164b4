import type { Scope } from "@clew/contract";
import { curlOf } from "../../ui/call-text.ts";

/** The ways in which a program uses a token. Only `.env` has the token itself. */
export interface Snippets {
  readonly claude: string;
  readonly cursor: string;
  readonly curl: string;
  readonly powershell: string;
  readonly env: string;
  readonly typescript: string;
  readonly python: string;
}

/** The variable that programs read the token from. */
const variable = "CLEW_TOKEN";

/** The lines that ask for the token, by shell. The first is for every POSIX shell, whose `read` cannot hide what is typed. */
export const askForToken = {
  sh: `printf 'Token: ' >&2; stty -echo; read -r ${variable}; stty echo; export ${variable}; echo`,
  // Windows PowerShell 5.1 has no `-MaskInput`.
  powershell: `$env:${variable} = [Net.NetworkCredential]::new("", (Read-Host "Token" -AsSecureString)).Password`,
} as const;

/** A first call that the scopes allow: its path and query, and the title of an item in TypeScript and in Python. */
function firstCallOf(scopes: readonly Scope[]) {
  return scopes.includes("graph:search")
    ? { path: "search/", query: { sort: "importance", limit: 5 }, title: ["node.title", '["node"]["title"]'] }
    : { path: "workspaces/", query: {}, title: ["name", '["name"]'] };
}

/** Lines to copy that use the token. */
export function snippetsOf(clew: URL, token: string, scopes: readonly Scope[]): Snippets {
  const base = clew.href.replace(/\/$/, "");
  const mcp = `${base}/api/v1/mcp`;
  const { path, query, title } = firstCallOf(scopes);
  const url = new URL(`api/v1/${path}`, clew);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return {
    claude: `claude mcp add --transport http clew ${mcp} --header 'Authorization: Bearer \${${variable}}'`,
    cursor: JSON.stringify(
      { mcpServers: { clew: { url: mcp, headers: { Authorization: `Bearer \${env:${variable}}` } } } },
      null,
      2,
    ),
    curl: curlOf(clew, path, query),
    powershell: `Invoke-RestMethod -Headers @{ Authorization = "Bearer $env:${variable}" } "${url}" | ConvertTo-Json -Depth 9`,
    env: `CLEW_URL=${base}\n${variable}=${token}`,
    typescript: [
      `const response = await fetch("${url}", {`,
      `  headers: { authorization: \`Bearer \${process.env.${variable}}\` },`,
      "});",
      "const { items } = await response.json();",
      `for (const item of items) console.log(item.${title[0]});`,
    ].join("\n"),
    python: [
      "import json, os, urllib.request",
      "",
      "request = urllib.request.Request(",
      `    "${url}",`,
      `    headers={"Authorization": f"Bearer {os.environ['${variable}']}"},`,
      ")",
      'for item in json.load(urllib.request.urlopen(request))["items"]:',
      `    print(item${title[1]})`,
    ].join("\n"),
  };
}
