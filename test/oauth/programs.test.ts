import assert from "node:assert/strict";
import { test } from "node:test";
import { authorize, type Changes, consentPage, mcpUrl } from "./app.ts";
import { sharedClew, somebody } from "./shared.ts";

/*
 * The requests of programs that people use, in the form that their makers document (September 2026): the document that names
 * the program or its registration, where it is sent back to, and what it adds. They are not run here.
 */
interface Program {
  readonly name: string;
  /** The address of its document; a program without one registers. */
  readonly document?: string;
  readonly redirectUri: string;
  readonly registration?: Readonly<Record<string, unknown>>;
  /** Further parameters of its request, and those that it leaves out. */
  readonly sends?: Changes;
  /** The host that the person is shown. */
  readonly host: string;
}

const programs: readonly Program[] = [
  {
    name: "Claude on the web",
    document: "https://claude.ai/oauth/mcp-oauth-client-metadata",
    redirectUri: "https://claude.ai/api/mcp/auth_callback",
    host: "claude.ai",
  },
  {
    name: "Claude at its new address",
    redirectUri: "https://claude.com/api/mcp/auth_callback",
    registration: {
      client_name: "Claude",
      scope: "graph:search graph:read graph:neighbors",
      client_uri: null,
    },
    host: "claude.com",
  },
  {
    name: "Claude Code",
    document: "https://claude.ai/oauth/claude-code-client-metadata",
    redirectUri: "http://localhost:3118/callback",
    host: "localhost",
  },
  {
    name: "ChatGPT",
    document: "https://chatgpt.com/oauth/client.json",
    redirectUri: "https://chatgpt.com/connector_platform_oauth_redirect",
    host: "chatgpt.com",
  },
  {
    name: "ChatGPT, registered for one connector",
    redirectUri: "https://chatgpt.com/connector/oauth/Qx7_4kP",
    registration: { client_name: "ChatGPT", token_endpoint_auth_method: "none" },
    host: "chatgpt.com",
  },
  {
    name: "Codex",
    document: "https://chatgpt.com/oauth/codex/client.json",
    redirectUri: "http://127.0.0.1:52110/callback",
    host: "127.0.0.1",
  },
  {
    name: "Visual Studio Code at its port",
    document: "https://vscode.dev/oauth/client-metadata.json",
    redirectUri: "http://127.0.0.1:33418/",
    host: "127.0.0.1",
  },
  {
    name: "Visual Studio Code with its port taken",
    document: "https://vscode.dev/oauth/client-metadata.json",
    redirectUri: "http://127.0.0.1:40117/",
    host: "127.0.0.1",
  },
  {
    name: "Visual Studio Code on the web",
    document: "https://vscode.dev/oauth/client-metadata.json",
    redirectUri: "https://vscode.dev/redirect",
    host: "vscode.dev",
  },
  {
    name: "Cursor",
    redirectUri: "http://localhost:8787/callback",
    registration: { client_name: "Cursor", token_endpoint_auth_method: "client_secret_post" },
    host: "localhost",
  },
  {
    name: "Cursor with its own scheme",
    redirectUri: "cursor://anysphere.cursor-mcp/oauth/callback",
    registration: { client_name: "Cursor", grant_types: ["authorization_code", "refresh_token"] },
    host: "cursor:",
  },
  {
    name: "Gemini CLI",
    redirectUri: "http://localhost:7777/oauth/callback",
    registration: { client_name: "Gemini CLI MCP Client", response_types: ["code"] },
    host: "localhost",
  },
  {
    name: "opencode",
    document: "https://opencode.ai/oauth/opencode/client.json",
    redirectUri: "http://127.0.0.1:19876/mcp/oauth/callback",
    host: "127.0.0.1",
  },
  {
    name: "Zed",
    document: "https://zed.dev/oauth/client-metadata.json",
    redirectUri: "http://127.0.0.1:51000/callback",
    host: "127.0.0.1",
  },
  {
    name: "Inspector",
    redirectUri: "http://localhost:6274/oauth/callback",
    registration: {
      client_name: "MCP Inspector",
      client_uri: "https://github.com/modelcontextprotocol/inspector",
    },
    host: "localhost",
  },
  {
    name: "a program of the first revision, without scope, resource and state",
    redirectUri: "http://127.0.0.1:3334/oauth/callback",
    registration: {},
    sends: { scope: undefined, resource: undefined, state: undefined },
    host: "127.0.0.1",
  },
  {
    name: "a program that asks to stay connected",
    redirectUri: "https://app.example/callback",
    registration: { client_name: "App" },
    sends: { scope: "graph:search graph:read graph:neighbors offline_access", prompt: "consent" },
    host: "app.example",
  },
];

for (const { name, document, redirectUri, registration, sends = {}, host } of programs) {
  test(`APP-1, APP-3: a person is asked about ${name}`, async () => {
    const { url } = await sharedClew();
    const client_id = document ?? (await register(url, { redirect_uris: [redirectUri], ...registration }));
    const authorized = await authorize(url, {
      client_id,
      redirect_uri: redirectUri,
      resource: `${mcpUrl(url)}?tools=search,fetch`,
      ...sends,
    });
    assert.equal(authorized.status, 302, authorized.text);
    const { status, body } = await consentPage(await somebody(), authorized).read();
    assert.equal(status, 200, body.detail);
    assert.deepEqual([body.redirect_to, body.redirect.host], [null, host]);
  });
}

async function register(url: URL, metadata: Readonly<Record<string, unknown>>): Promise<string> {
  const response = await fetch(new URL("oauth/register", url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(metadata),
  });
  const registered = (await response.json()) as Readonly<Record<string, unknown>>;
  assert.equal(response.status, 201, JSON.stringify(registered));
  assert.equal(registered.token_endpoint_auth_method, "none");
  assert.ok(!("client_secret" in registered) && !Object.values(registered).includes(null));
  return String(registered.client_id);
}
