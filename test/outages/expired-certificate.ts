import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { makeAuthority, makeCertificate } from "../support/certificates.ts";
import type { Stage } from "../support/stage.ts";
import { Ground } from "./ground.ts";

/**
 * The provider's certificate expires between two syncs. No request is sent without a valid one, the sync fails and names the
 * certificate, and the next one completes once it is renewed. Needs the program openssl.
 */
export async function runExpiredCertificate(stage: Stage): Promise<string> {
  makeAuthority(stage.folder, "authority");
  const valid = await certificateFor(stage.folder, "valid", 2);
  const expired = await certificateFor(stage.folder, "expired", -1);
  const authority = join(stage.folder, "authority.pem");
  // For the person's browser, which is this process.
  setDefaultCACertificates([...getCACertificates(), await readFile(authority, "utf8")]);
  let front: Awaited<ReturnType<typeof serveWithTls>> | undefined;
  const ground = await Ground.open(stage, async (notion) => {
    front = await serveWithTls(stage, new URL(notion.url), valid);
    return { NOTION_API_URL: front.url, NODE_EXTRA_CA_CERTS: authority };
  });
  assert.ok(front);
  const before = await ground.reads();
  await ground.edit();
  front.use(expired);
  const asked = front.requests();
  assert.equal((await ground.requestSync()).status, 202);
  const { sync } = await ground.settled(10 * 60_000);
  assert.equal(front.requests(), asked, "nothing is sent without a valid certificate");
  assert.equal(sync.outcome, "failed", JSON.stringify(sync));
  const words = /its certificate has expired \(CERT_HAS_EXPIRED\)/;
  assert.match(ground.clew.output(), words, "the log says why");
  assert.deepEqual(await ground.reads(), before, "reads go on");
  front.use(valid);
  await ground.signIn();
  assert.equal((await ground.requestSync()).status, 202);
  const later = await ground.settled(60_000);
  assert.equal(later.sync.outcome, "complete", JSON.stringify(later.sync));
  await ground.assertSameAsNew();
  return `the sync failed with: ${words.exec(ground.clew.output())?.[0]}`;
}

interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Makes a certificate for localhost, which has expired if `days` is negative, and reads it. */
async function certificateFor(folder: string, name: string, days: number): Promise<Certificate> {
  makeCertificate(folder, name, "authority", days);
  const read = (ending: string) => readFile(join(folder, `${name}.${ending}`), "utf8");
  return { key: await read("key"), cert: await read("pem") };
}

/** Serves the provider with TLS. */
async function serveWithTls(stage: Stage, provider: URL, certificate: Certificate) {
  let requests = 0;
  const server = createServer(certificate, (incoming, outgoing) => {
    requests += 1;
    const { method, headers, url = "/" } = incoming;
    const passed = request(new URL(url, provider), { ...(method && { method }), headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stage.defer(async () => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return {
    url: `https://localhost:${address.port}`,
    requests: () => requests,
    /** Uses another certificate from the next connection on, which is the next request. */
    use(other: Certificate) {
      server.setSecureContext(other);
      server.closeAllConnections();
    },
  };
}
