import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from "node:net";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { type Certified, certify } from "../testing/certificates.ts";
import { connectVerified, DocumentError, fetchDocument, isPublic } from "./document-network.ts";

const url = new URL("https://app.example/client.json");

/** A name whose first address is public, in front of a server of this machine, without TLS. */
async function servedBy(t: TestContext, server: Server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const connected: string[] = [];
  const network = {
    resolve: async () => ["8.8.8.8"] as readonly string[],
    connect(address: string, hostname: string) {
      connected.push(`${address} ${hostname}`);
      return connect(port, "127.0.0.1");
    },
  };
  return { network, connected };
}

const served = (t: TestContext, answer: RequestListener) => servedBy(t, createServer(answer));

const json: Record<string, string> = { "content-type": "application/json" };

function refused(reason: RegExp) {
  return (error: unknown) => error instanceof DocumentError && reason.test(error.message);
}

test("APP-3: a document is fetched from the address that its name had when that was checked", async (t) => {
  const asked: unknown[] = [];
  const { network, connected } = await served(t, ({ method, url: path, headers }, response) => {
    asked.push([
      method,
      path,
      headers.host,
      headers["accept-encoding"],
      headers.cookie,
      headers.authorization,
    ]);
    response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end('{"a":1}');
  });
  let lookups = 0;
  const rebinding = {
    ...network,
    async resolve() {
      lookups += 1;
      return lookups === 1 ? ["8.8.8.8", "2606:4700::1111"] : ["127.0.0.1"];
    },
  };
  assert.equal(await fetchDocument(rebinding, url), '{"a":1}');
  assert.deepEqual([lookups, connected], [1, ["8.8.8.8 app.example"]]);
  assert.deepEqual(asked, [["GET", "/client.json", "app.example", "identity", undefined, undefined]]);
});

for (const addresses of [
  [],
  ["127.0.0.1"],
  ["8.8.8.8", "10.0.0.1"],
  ["169.254.169.254"],
  ["::1"],
  ["::ffff:127.0.0.1"],
  ["8.8.8.8", "::7f00:1"],
  ["168.63.129.16"],
]) {
  test(`APP-3: nothing is sent to a name with an address that is not public: ${addresses.join(", ") || "none"}`, async (t) => {
    const { network, connected } = await served(t, (_request, response) => response.end());
    const here = { ...network, resolve: async () => addresses };
    await assert.rejects(fetchDocument(here, url), refused(/not at a public address/));
    assert.deepEqual(connected, []);
  });
}

for (const hostname of [
  "metadata.google.internal",
  "Metadata.Google.Internal.",
  "instance-data.ec2.internal",
]) {
  test(`APP-3: nothing is sent to a cloud's own service, whatever address its name has: ${hostname}`, async (t) => {
    const { network, connected } = await served(t, (_request, response) => response.end());
    const metadata = Object.assign(new URL("https://app.example/latest"), { hostname });
    await assert.rejects(fetchDocument(network, metadata), refused(/not at a public address/));
    assert.deepEqual(connected, []);
  });
}

test("APP-3: which addresses are public", () => {
  for (const address of [
    ...["8.8.8.8", "104.18.32.7", "168.63.129.17", "2606:4700::6812:2007", "2a00:1450:4001::200e"],
    ...["64:ff9b::808:808", "64:ff9b::8.8.8.8", "::ffff:8.8.8.8", "3ffe:ffff::1"],
  ])
    assert.equal(isPublic(address), true, address);
  for (const address of [
    ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.1"],
    ...["192.0.0.1", "192.0.2.1", "192.168.1.1", "198.18.0.1", "203.0.113.1", "224.0.0.1", "240.0.0.1"],
    ...[
      "255.255.255.255",
      "::",
      "::1",
      "::ffff:10.0.0.1",
      "::ffff:8.8.8.8%eth0",
      "64:ff9b::a00:1",
      "64:ff9b:1::1",
    ],
    ...["100::1", "2001:db8::1", "2002:a00:1::", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1"],
    // IPv4 inside of IPv6: compatible, translated, by 6to4 and by Teredo.
    ...[
      "::7f00:1",
      "::127.0.0.1",
      "::8.8.8.8",
      "64:ff9b::7f00:1",
      "64:ff9b::a9fe:a9fe",
      "64:ff9b::192.168.1.1",
    ],
    ...["64:ff9b:1::808:808", "2002:808:808::", "2002:7f00:1::1", "2001::808:808", "2001:0:7f00:1::1"],
    // Outside of 2000::/3, and for documentation.
    ...["1::1", "4000::1", "5f00::1", "fe00::1", "::2", "3fff::1", "3fff:fff::1", "198.51.100.1"],
    // Of clouds, for their own machines.
    ...["168.63.129.16", "64:ff9b::a83f:8110", "::ffff:168.63.129.16", "100.100.100.200", "192.0.0.192"],
    ...["fd00:ec2::254", "fd20:ce::254"],
    ...["localhost", "1", "0x7f.1", "127.1", "", "8.8.8.8 ", "8.8.8.8:443"],
  ])
    assert.equal(isPublic(address), false, address);
});

/** Answers that are no document. */
const unusable: readonly (readonly [string, RequestListener, RegExp])[] = [
  [
    "a redirect",
    (_, to) => to.writeHead(302, { location: "http://169.254.169.254/" }).end(),
    /answered with 302/,
  ],
  ["an error", (_, to) => to.writeHead(403, json).end("{}"), /answered with 403/],
  ["another success", (_, to) => to.writeHead(204, json).end(), /answered with 204/],
  ["a page", (_, to) => to.writeHead(200, { "content-type": "text/html" }).end("{}"), /not JSON/],
  ["no type", (_, to) => to.writeHead(200).end("{}"), /not JSON/],
  [
    "a compressed document",
    (_, to) => to.writeHead(200, { ...json, "content-encoding": "gzip" }).end(gzipSync("{}")),
    /compressed/,
  ],
  ["more than 5 kB", (_, to) => to.writeHead(200, json).end("x".repeat(5 * 1024 + 1)), /too large/],
  [
    "an answer that breaks off",
    (_, to) => to.writeHead(200, { ...json, "content-length": "9" }).end("{", () => to.destroy()),
    /cannot be reached/,
  ],
];

for (const [name, answer, reason] of unusable) {
  test(`APP-3: no document, and no second request: ${name}`, async (t) => {
    let requests = 0;
    const { network } = await served(t, (request, response) => {
      requests += 1;
      answer(request, response);
    });
    await assert.rejects(fetchDocument(network, url), refused(reason));
    assert.equal(requests, 1);
  });
}

test("APP-3: a document of 5 kB is read", async (t) => {
  const { network } = await served(t, (_, response) =>
    response.writeHead(200, json).end("x".repeat(5 * 1024)),
  );
  assert.equal((await fetchDocument(network, url)).length, 5 * 1024);
});

test("APP-3: a document that never ends is cut at 5 kB", async (t) => {
  let isClosed = false;
  const { network } = await served(t, (_request, response) => {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write("x".repeat(1024)), 1);
    response.on("close", () => {
      isClosed = true;
      clearInterval(timer);
    });
  });
  await assert.rejects(fetchDocument(network, url), refused(/too large/));
  while (!isClosed) await new Promise(setImmediate);
});

test("APP-3: all of it takes five seconds at most: the name, the connection and the answer", async (t) => {
  const silent = await servedBy(
    t,
    createTcpServer((socket) => t.after(() => socket.destroy())),
  );
  const never = { ...silent.network, resolve: () => new Promise<never>(() => {}) };
  const waits: number[] = [];
  t.mock.method(AbortSignal, "timeout", (milliseconds: number) => {
    waits.push(milliseconds);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 5);
    return controller.signal;
  });
  for (const network of [silent.network, never])
    await assert.rejects(fetchDocument(network, url), refused(/took too long/));
  assert.deepEqual(waits, [5000, 5000]);
});

test("APP-3: a name that does not resolve and a host that refuses are no document", async (t) => {
  const { network } = await served(t, (_request, response) => response.end());
  const fail = () => Promise.reject(new Error("ENOTFOUND"));
  await assert.rejects(fetchDocument({ ...network, resolve: fail }, url), refused(/cannot be reached/));
  const refusing = { ...network, connect: () => connect(1, "127.0.0.1") };
  await assert.rejects(fetchDocument(refusing, url), refused(/cannot be reached/));
});

const authority = certify({ name: "the authority" });
const host = url.hostname;

/** Certificates of servers, and whether the documents behind them are read. */
const certificates: readonly (readonly [string, Certified, boolean])[] = [
  ["for the host", certify({ name: "app", host, issuer: authority }), true],
  ["for a whole top level", certify({ name: "app", host: "*.example", issuer: authority }), false],
  ["that has expired", certify({ name: "app", host, until: Date.now() - 1000, issuer: authority }), false],
  ["for another host", certify({ name: "app", host: "other.example", issuer: authority }), false],
  ["for the address", certify({ name: "app", host: "8.8.8.8", issuer: authority }), false],
  ["that signs itself", certify({ name: "app", host }), false],
  [
    "by an unknown authority of the same name",
    certify({ name: "app", host, issuer: certify({ name: authority.name }) }),
    false,
  ],
];

for (const [name, { certificate, key }, isRead] of certificates) {
  test(`APP-3: a server with a certificate ${name} is ${isRead ? "read" : "not sent a request"}`, async (t) => {
    let requests = 0;
    const pem = key.export({ type: "pkcs8", format: "pem" });
    const server = createTlsServer({ cert: certificate, key: pem }, (_request, response) => {
      requests += 1;
      response.writeHead(200, json).end('{"a":1}');
    });
    const { network } = await servedBy(t, server);
    const { port } = server.address() as AddressInfo;
    const local = { host: "127.0.0.1", port, ca: authority.certificate };
    const verified = { ...network, connect: (_: string, name: string) => connectVerified(local, name) };
    const fetched = fetchDocument(verified, url);
    if (isRead) assert.equal(await fetched, '{"a":1}');
    else await assert.rejects(fetched, refused(/cannot be reached/));
    assert.equal(requests, isRead ? 1 : 0);
    // No certificate makes up for the address.
    const here = { ...verified, resolve: async () => ["127.0.0.1"] };
    await assert.rejects(fetchDocument(here, url), refused(/not at a public address/));
    assert.equal(requests, isRead ? 1 : 0);
  });
}

test("APP-3: the public authorities do not vouch for a local one", async (t) => {
  const { certificate, key } = certify({ name: "app", host, issuer: authority });
  const pem = key.export({ type: "pkcs8", format: "pem" });
  const server = createTlsServer({ cert: certificate, key: pem }, (_request, response) => response.end());
  const { network } = await servedBy(t, server);
  const { port } = server.address() as AddressInfo;
  const connect = (_: string, name: string) => connectVerified({ host: "127.0.0.1", port }, name);
  await assert.rejects(fetchDocument({ ...network, connect }, url), refused(/cannot be reached/));
});
