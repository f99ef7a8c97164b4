import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createAuthFixture, day, hour } from "../testing/auth-fixture.ts";
import { ClientDocuments } from "./client-documents.ts";
import { DocumentError } from "./document-network.ts";
import { ClientFault } from "./faults.ts";

const id = "https://app.example/client.json";

/** Two instances on one database, whose network the test answers for. */
async function open(t: TestContext) {
  const fixture = await createAuthFixture(t);
  const world = { name: "An app" as string | undefined, isReachable: true, reads: 0 };
  const fetchDocument = async (url: URL) => {
    world.reads += 1;
    if (!world.isReachable) throw new DocumentError("its document cannot be reached.");
    return JSON.stringify({
      client_id: url.href,
      client_name: world.name,
      redirect_uris: ["https://app.example/callback", "javascript:alert(1)"],
    });
  };
  const instance = () => new ClientDocuments({ ...fixture, fetchDocument });
  return { fixture, world, one: instance(), other: instance() };
}

test("APP-3: a copy is fresh for a day on every instance, then the document is read again", async (t) => {
  const { fixture, world, one, other } = await open(t);
  assert.equal(await one.stored(id), null);
  assert.deepEqual(await one.read(id), {
    id,
    kind: "document",
    name: "An app",
    host: "app.example",
    redirectUris: ["https://app.example/callback"],
  });
  assert.equal((await other.stored(id))?.name, "An app");
  fixture.clock.advance(24 * hour - 1);
  assert.equal((await other.stored(id))?.name, "An app");
  fixture.clock.advance(1);
  assert.equal(await one.stored(id), null);
  world.name = "Its new name";
  assert.equal((await other.read(id)).name, "Its new name");
  assert.equal((await one.stored(id))?.name, "Its new name");
  assert.equal(world.reads, 2);
});

test("APP-3: a good copy serves seven days while the document cannot be fetched, and no longer", async (t) => {
  const { fixture, world, one, other } = await open(t);
  await one.read(id);
  world.isReachable = false;
  fixture.clock.advance(7 * day - 1);
  assert.equal(await other.stored(id), null);
  assert.equal((await other.read(id)).name, "An app");
  assert.equal(await other.stored(id), null, "a failure does not make it fresh");
  fixture.clock.advance(1);
  await assert.rejects(other.read(id), ClientFault);
  await assert.rejects(one.read(id), ClientFault);
  world.isReachable = true;
  assert.equal((await one.read(id)).name, "An app");
});

test("APP-3: what is read at the same time is read once, and only some documents at a time", async (t) => {
  const { world, one } = await open(t);
  const clients = await Promise.all(Array.from({ length: 20 }, () => one.read(id)));
  assert.deepEqual(new Set(clients.map(({ name }) => name)), new Set(["An app"]));
  assert.equal(world.reads, 1);
  const reads = Array.from({ length: 12 }, (_, i) => one.read(`https://app.example/${i}.json`));
  const outcomes = await Promise.allSettled(reads);
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 8);
});

test("APP-3: a name is shown up to a hundred characters, and the host where there is none", async (t) => {
  const { world, one } = await open(t);
  world.name = `  An \n ${"🦜".repeat(200)}`;
  assert.equal((await one.read(id)).name, `An ${"🦜".repeat(97)}`);
  world.name = undefined;
  assert.equal((await one.read(id)).name, "app.example");
});

test("APP-3: the latest 200 documents are kept", async (t) => {
  const { fixture, one } = await open(t);
  for (let i = 0; i < 205; i += 1) {
    await one.read(`https://app.example/${i}.json`);
    fixture.clock.advance(1);
  }
  const { count } = await fixture.database.read
    .selectFrom("client_documents")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  assert.equal(count, 200);
  assert.equal(await one.stored("https://app.example/4.json"), null);
  assert.ok(await one.stored("https://app.example/5.json"));
});

/** Hosts of this machine, of private networks and of services that only machines reach, in the spellings of URL parsers. */
const forbiddenHosts = [
  ...[
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "017700000001",
  ],
  ...[
    "0x7f.1",
    "0",
    "0.0.0.0",
    "10.0.0.1",
    "167772161",
    "0x0a000001",
    "012.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
  ],
  ...["3232235521", "169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "100.64.0.1"],
  ...["[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]"],
  ...[
    "[64:ff9b::7f00:1]",
    "[fc00::1]",
    "[fe80::1]",
    "[fe80::1%25eth0]",
    "[2002:7f00:1::]",
    "[2606:4700::1111]",
  ],
  ...[
    "8.8.8.8",
    "localhost",
    "localhost.",
    "LOCALHOST",
    "intranet",
    "app.example.",
    "1.2.3.4.",
    "１２７.0.0.1",
  ],
  ...[
    "127。0。0。1",
    "ⓛocalhost",
    "app.example:8443",
    "app.example:80",
    "me@app.example",
    "me:pw@app.example",
  ],
];

/** Addresses of documents that have another spelling, another scheme or no path of their own. */
const forbiddenIds = [
  ...forbiddenHosts.map((host) => `https://${host}/client.json`),
  ...[
    "http://app.example/c.json",
    "HTTPS://app.example/c.json",
    "https:app.example/c.json",
    "https:\\\\app.example\\c",
  ],
  ...[
    "https://app.example",
    "https://app.example/",
    "https://app.example/c.json#x",
    "https://app.example/a/../c.json",
  ],
  ...["https://app.example/./c.json", "https://app.example/%2e%2e/c.json", "https://app.example/c .json"],
  ...[
    "https://app.example/c\n.json",
    "https:///app.example/c.json",
    "https://app.example\\@127.0.0.1/c.json",
  ],
  `https://app.example/${"c".repeat(1100)}`,
];

test("APP-3: no document is read from an address, a local name, or a URL in another spelling", async (t) => {
  const { world, one } = await open(t);
  for (const forbidden of forbiddenIds) {
    await assert.rejects(one.stored(forbidden), ClientFault, forbidden);
    await assert.rejects(async () => one.read(forbidden), ClientFault, forbidden);
  }
  assert.ok(forbiddenIds.length >= 60);
  assert.equal(world.reads, 0);
});
