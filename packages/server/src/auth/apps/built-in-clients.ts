import { commandLineClient } from "@clew/contract";
import type { Client } from "./client.ts";

const loopbackUris = (path: string) => [`http://127.0.0.1${path}`, `http://localhost${path}`];

/**
 * The programs whose documents Clew carries, since some vendors refuse to serve theirs to servers. All redirect URIs are on the
 * vendor's own host or on loopback, so another program that borrows an id gets no code. As published in September 2026.
 */
const documents: readonly {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}[] = [
  {
    id: "https://claude.ai/oauth/mcp-oauth-client-metadata",
    name: "Claude",
    redirectUris: ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
  },
  {
    id: "https://claude.ai/oauth/claude-code-client-metadata",
    name: "Claude Code",
    redirectUris: loopbackUris("/callback"),
  },
  {
    id: "https://chatgpt.com/oauth/client.json",
    name: "ChatGPT",
    redirectUris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
  },
  {
    id: "https://chatgpt.com/oauth/codex/client.json",
    name: "Codex",
    redirectUris: loopbackUris("/callback"),
  },
  {
    id: "https://vscode.dev/oauth/client-metadata.json",
    name: "Visual Studio Code",
    redirectUris: [
      "http://127.0.0.1:33418/",
      "https://vscode.dev/redirect",
      "https://insiders.vscode.dev/redirect",
    ],
  },
  {
    id: "https://opencode.ai/oauth/opencode/client.json",
    name: "opencode",
    // Its document lacks the second path, which it sends.
    redirectUris: [...loopbackUris("/callback"), ...loopbackUris("/mcp/oauth/callback")],
  },
  {
    id: "https://zed.dev/oauth/client-metadata.json",
    name: "Zed",
    redirectUris: ["http://127.0.0.1/callback"],
  },
];

/** The clients that Clew knows by itself (APP-3): programs of others, and its own command line (APP-8). */
export const builtInClients: readonly Client[] = [
  ...documents.map((client) => ({ ...client, kind: "built_in" as const, host: new URL(client.id).hostname })),
  {
    id: commandLineClient.id,
    name: commandLineClient.name,
    kind: "built_in",
    host: null,
    redirectUris: loopbackUris(commandLineClient.redirectPath),
  },
];
