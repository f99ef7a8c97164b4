import assert from "node:assert/strict";
import { test } from "node:test";
import { redirectFault } from "./redirect-uris.ts";

/** Addresses of programs, as they register them, of reverse domain names, and of programs on the web and the same machine. */
const allowed = [
  "https://app.example/callback?a=b",
  "http://127.0.0.1/callback",
  "http://[::1]:49152/callback",
  "http://localhost:49152/callback",
  "com.example.app:/callback",
  "com.raycast:/oauth?package_name=Extension",
  "io.app-1.x://callback",
  "claude://mcp/callback",
  "cursor://anysphere.cursor-mcp/oauth/callback",
  "jetbrains://idea/mcp/callback",
  "raycast://oauth?package_name=mcp",
  "vscode://saoudrizwan.claude-dev/mcp-auth/callback/1",
  "VSCODE-insiders://publisher.extension/callback",
  "vscodium://publisher.extension/callback",
  "warp://mcp/oauth2callback",
  "windsurf://publisher.extension/callback",
];

/** Schemes that a browser or the system handles itself, those of programs with commands, and those of nobody. */
const schemesOfOthers = [
  ...[
    "about",
    "applescript",
    "blob",
    "chrome",
    "chrome-extension",
    "data",
    "feed",
    "file",
    "filesystem",
    "ftp",
  ],
  ...["http", "intent", "itms-services", "jar", "javascript", "ldap", "mailto", "ms-msdt", "ms-settings"],
  ...["resource", "search-ms", "shell", "smb", "sms", "ssh", "tel", "vbscript", "view-source", "ws", "wss"],
  ...["x-apple.systempreferences", "ms-a.b", "com.", "com..app", "c.app", "myapp", "notcursor", "web+app"],
];

test("APP-4: a client registers https, loopback, a reverse domain name, or the scheme of a program that people have", () => {
  for (const uri of allowed) assert.equal(redirectFault(uri), null, uri);
});

test("APP-4: any other scheme is refused, and the refusal names it and what is allowed", () => {
  for (const scheme of schemesOfOthers)
    for (const uri of [`${scheme}:callback`, `${scheme.toUpperCase()}://app.example/callback`]) {
      const fault = redirectFault(uri) ?? "";
      assert.ok(fault.includes(`the scheme ${scheme}. `), `${uri}: ${fault}`);
      assert.match(fault, /https:\/\/, http:\/\/ on a loopback.*reverse domain name.*cursor, .*vscode/);
      // RFC 6749, section 5.2.
      assert.match(fault, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    }
});

test("APP-4: a refusal does not repeat a scheme at any length", () => {
  assert.ok((redirectFault(`${"a".repeat(4000)}://app`) ?? "").length < 400);
});

test("APP-4: a program's scheme without a name after it is refused: it is a command of the program", () => {
  for (const uri of ["vscode:extension/a.b", "vscode:mcp/install?{}", "cursor:/callback", "raycast:///oauth"])
    assert.notEqual(redirectFault(uri), null, uri);
});

test("APP-4: an address with credentials, a fragment, spaces or control characters is refused", () => {
  for (const uri of [
    ...[
      "https://me@app.example/",
      "cursor://me:secret@app/",
      "https://app.example/#part",
      "https:app.example",
    ],
    ...["https://app.example/\n", "https://app.example/a b", "com.example.app:\\callback", "", "callback"],
  ])
    assert.notEqual(redirectFault(uri), null, uri);
});
