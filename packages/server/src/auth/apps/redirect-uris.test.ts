import assert from "node:assert/strict";
import { test } from "node:test";
import { isRedirectUri } from "./redirect-uris.ts";

/** Schemes that a browser or the system handles itself: a code would not reach a program. */
const notOfPrograms = [
  ...["about", "blob", "chrome", "data", "file", "filesystem", "ftp", "http", "intent", "javascript"],
  ...["mailto", "resource", "tel", "vbscript", "view-source", "ws", "wss"],
  ...["ms-msdt", "ms-settings", "search-ms", "shell"],
];

test("APP-4: a client registers the scheme of a program, and none that a browser or the system handles itself", () => {
  for (const scheme of notOfPrograms) {
    assert.equal(isRedirectUri(`${scheme}:callback`), false, scheme);
    assert.equal(isRedirectUri(`${scheme.toUpperCase()}://app.example/callback`), false, scheme);
  }
  for (const scheme of ["cursor", "com.example.app", "vscode"])
    assert.equal(isRedirectUri(`${scheme}://callback`), true, scheme);
});
