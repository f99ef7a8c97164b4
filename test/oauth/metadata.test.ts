import assert from "node:assert/strict";
import { get as getHttp } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { freePort } from "../support/clew-process.ts";
import { startRunning } from "../support/running-clew.ts";
import { sharedClew } from "./shared.ts";

const scopes = ["graph:search", "graph:read", "graph:neighbors"];

/** Gets JSON with a `Host` of the test's choice, which fetch does not allow. */
function get(url: URL, path: string, host = url.host) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Record<string, unknown> }>(
    (resolve, reject) => {
      const { hostname, port } = url;
      getHttp({ hostname, port, path, headers: { host } }, async (response) => {
        const body = await text(response);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(body) });
      }).on("error", reject);
    },
  );
}

const serverMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  registration_endpoint: `${issuer}/oauth/register`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  scopes_supported: scopes,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});

const resourceMetadata = (issuer: string, resource: string) => ({
  resource,
  resource_name: "Clew",
  authorization_servers: [issuer],
  scopes_supported: scopes,
  bearer_methods_supported: ["header"],
});

test("APP-1: the server's metadata is exactly what Clew does, at the addresses of PUBLIC_URL", async () => {
  const { url } = await sharedClew();
  const { status, headers, body } = await get(url, "/.well-known/oauth-authorization-server");
  assert.equal(status, 200);
  assert.match(String(headers["content-type"]), /^application\/json/);
  assert.deepEqual(body, serverMetadata(url.origin));
  assert.equal((await get(url, "/.well-known/openid-configuration")).status, 404);
});

const resourcePath = "/.well-known/oauth-protected-resource";

/** Paths of the resource's metadata, and what the resource is called there after `/api/v1/mcp`. */
const echoes: readonly (readonly [string, string])[] = [
  [`${resourcePath}/api/v1/mcp`, ""],
  [`${resourcePath}/api/v1/mcp/`, "/"],
  [`${resourcePath}/api/v1/mcp?tools=search,fetch`, "?tools=search,fetch"],
  [`${resourcePath}/api/v1/mcp/?tools=a%2Cb&x=%20`, "/?tools=a%2Cb&x=%20"],
  [resourcePath, ""],
  [`${resourcePath}/`, ""],
  [`${resourcePath}?tools=search`, "?tools=search"],
];

for (const [path, rest] of echoes) {
  test(`APP-1: the resource is the URL that was asked for, its query included: ${path}`, async () => {
    const { url } = await sharedClew();
    const { body } = await get(url, path);
    assert.deepEqual(body, resourceMetadata(url.origin, `${url.origin}/api/v1/mcp${rest}`));
  });
}

test("APP-1: on loopback the resource has the name and port of the request, and all else those of PUBLIC_URL", async () => {
  const { url } = await sharedClew();
  for (const host of ["127.0.0.1:1234", `clew.localhost:${url.port}`, "[::1]:80"]) {
    const { body } = await get(url, `${resourcePath}/api/v1/mcp?tools=search`, host);
    assert.deepEqual(body, resourceMetadata(url.origin, `http://${host}/api/v1/mcp?tools=search`));
    const { headers } = await get(url, "/api/v1/mcp?tools=search", host);
    assert.ok(
      String(headers["www-authenticate"]).includes(`"http://${host}${resourcePath}/api/v1/mcp?tools=search"`),
    );
    const server = await get(url, "/.well-known/oauth-authorization-server", host);
    assert.deepEqual(server.body, serverMetadata(url.origin));
  }
  assert.equal((await get(url, resourcePath, "evil.example")).status, 421);
  const { headers } = await get(url, "/api/v1/mcp", "evil.example");
  assert.ok(!String(headers["www-authenticate"]).includes("evil"));
});

test("APP-2: a 401 of the MCP transport leads to the metadata, before 405, and no other path does", async () => {
  const { url } = await sharedClew();
  const challenge = (rest = "") =>
    `Bearer resource_metadata="${url.origin}${resourcePath}/api/v1/mcp${rest}", scope="${scopes.join(" ")}"`;
  for (const method of ["GET", "POST", "DELETE", "PUT"]) {
    const response = await fetch(new URL("api/v1/mcp", url), { method });
    assert.equal(response.status, 401);
    assert.equal(response.headers.get("www-authenticate"), challenge());
  }
  const authorization = `Bearer svc_${"a".repeat(32)}`;
  const refused = await fetch(new URL("api/v1/mcp/?tools=search", url), {
    method: "POST",
    headers: { authorization },
  });
  assert.equal(
    refused.headers.get("www-authenticate"),
    `${challenge("/?tools=search")}, error="invalid_token", error_description="The token was not issued by this service."`,
  );
  const other = await fetch(new URL("api/v1/token/", url));
  assert.equal(other.headers.get("www-authenticate"), 'Bearer realm="clew"');
});

test("APP-1, ERR-6: pages of every origin read the metadata, register and redeem, without credentials", async () => {
  const { url } = await sharedClew();
  const origin = "https://inspector.example";
  for (const [method, path] of [
    ["GET", ".well-known/oauth-authorization-server"],
    ["GET", ".well-known/oauth-protected-resource"],
    ["GET", ".well-known/oauth-protected-resource/api/v1/mcp"],
    ["POST", "oauth/register"],
    ["POST", "oauth/token"],
  ] as const) {
    const headers = {
      origin,
      ...(method === "POST" && { "content-type": "application/x-www-form-urlencoded" }),
    };
    const body = method === "POST" ? "" : null;
    const response = await fetch(new URL(path, url), { method, headers, body });
    assert.equal(response.headers.get("access-control-allow-origin"), "*", path);
    assert.equal(response.headers.get("access-control-allow-credentials"), null);
    const preflight = await fetch(new URL(path, url), {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": method },
    });
    assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
    assert.match(
      preflight.headers.get("access-control-allow-headers") ?? "",
      /Content-Type.*MCP-Protocol-Version/,
    );
  }
  for (const path of [
    "oauth/authorize",
    "oauth/revoke",
    "api/tokens/",
    "api/v1/mcp",
    "api/apps/requests/x/",
  ]) {
    const response = await fetch(new URL(path, url), { headers: { origin }, redirect: "manual" });
    assert.equal(response.headers.get("access-control-allow-origin"), null, path);
  }
});

test("APP-1: where PUBLIC_URL has a path, the documents are at the root of its host and below it", async (t) => {
  const port = String(await freePort());
  const issuer = `http://localhost:${port}/notes/clew`;
  const clew = await startRunning({ env: { PORT: port, PUBLIC_URL: issuer } });
  t.after(() => clew.stop());
  const ask = (path: string) => get(clew.url, path);
  for (const path of [
    "/.well-known/oauth-authorization-server/notes/clew",
    "/notes/clew/.well-known/oauth-authorization-server",
    "/notes/clew/.well-known/openid-configuration",
  ])
    assert.deepEqual((await ask(path)).body, serverMetadata(issuer), path);
  for (const path of [
    `${resourcePath}/notes/clew/api/v1/mcp`,
    `/notes/clew${resourcePath}/api/v1/mcp`,
    `/notes/clew${resourcePath}`,
    resourcePath,
  ])
    assert.deepEqual((await ask(path)).body, resourceMetadata(issuer, `${issuer}/api/v1/mcp`), path);
  const { headers } = await ask("/notes/clew/api/v1/mcp");
  const link = `"${issuer}${resourcePath}/api/v1/mcp"`;
  assert.ok(String(headers["www-authenticate"]).includes(link), "a link that needs no line of the proxy");
});

test("AGT-5, APP-2: with OAUTH_CLIENTS=off every route is gone, and a client that registers learns why", async (t) => {
  const clew = await startRunning({ env: { OAUTH_CLIENTS: "off" } });
  t.after(() => clew.stop());
  for (const path of [
    ".well-known/oauth-authorization-server",
    ".well-known/oauth-protected-resource",
    ".well-known/oauth-protected-resource/api/v1/mcp",
    "oauth/authorize",
    "oauth/token",
    "oauth/register",
    "oauth/revoke",
    "api/apps/requests/x/",
  ])
    assert.equal((await fetch(new URL(path, clew.url))).status, 404, path);
  const { headers } = await fetch(new URL("api/v1/mcp", clew.url));
  assert.equal(headers.get("www-authenticate"), 'Bearer realm="clew"');
  const refused = await fetch(new URL("register", clew.url), { method: "POST" });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /accepts service tokens/);
});
