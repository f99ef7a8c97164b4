import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { describeBrokenConnection } from "./broken-connection.ts";

const failed = (code: string) =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("of the network"), { code }) });

const reasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "its certificate has expired (CERT_HAS_EXPIRED)",
  CERT_NOT_YET_VALID: "its certificate is not valid yet, by the clock of this machine (CERT_NOT_YET_VALID)",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not trusted (SELF_SIGNED_CERT_IN_CHAIN)",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)",
  ENOTFOUND: "its host name was not found (ENOTFOUND)",
  ECONNRESET: "the connection broke (ECONNRESET)",
};

for (const [code, reason] of Object.entries(reasons))
  test(`SYNC-4: a request without an answer is described by its cause: ${code}`, () => {
    assert.equal(describeBrokenConnection(failed(code)), reason);
  });

test("SYNC-4: a refused connection is named, and an error without a code is not given one", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  server.close();
  await once(server, "close");
  const error = await fetch(`http://127.0.0.1:${address.port}/`).catch((thrown: unknown) => thrown);
  assert.equal(describeBrokenConnection(error), "it refused the connection (ECONNREFUSED)");
  assert.equal(describeBrokenConnection(new TypeError("fetch failed")), "the connection broke");
});
