import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { failContent } from "../../store/queries/graph-pages.ts";
import { nodeId } from "../../store/testing/scratch.ts";
import { saveContent } from "../../store/testing/write-graph.ts";
import { type GraphServer, nextOf, type Person, serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const path = `/nodes/${nodeId(1)}/content/`;
const markdown = { accept: "text/markdown" };

/** A user whose only page has this text. */
async function ownerOf(t: TestContext, text: string): Promise<Person & { server: GraphServer }> {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [{ number: 1, text, given: { updatedAt: Date.UTC(2031, 0, 1) } }]);
  return { ...owner, server };
}

test("GRAPH-5: a short text is served whole", async (t) => {
  const { session } = await ownerOf(t, "# Title\n\n漢字 😀\n");
  const { status, headers, body } = await session.get(path);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    node_id: nodeId(1),
    markdown: "# Title\n\n漢字 😀\n",
    offset: 0,
    total_chars: 14,
    next_offset: null,
    updated_at: "2031-01-01T00:00:00.000Z",
  });
  assert.match(String(headers["content-type"]), /^application\/json/);
  assert.equal(headers["cache-control"], "private, no-cache");
  assert.match(String(headers.vary), /^Authorization, Accept/);
  assert.equal(headers.link, undefined);
});

test("GRAPH-5: a long text comes in parts of 50 000 characters by default", async (t) => {
  const text = "😀a".repeat(40_000);
  const { session } = await ownerOf(t, text);
  const first = await session.get(path);
  assert.deepEqual(
    [[...first.body.markdown].length, first.body.total_chars, first.body.next_offset],
    [50_000, 80_000, 50_000],
  );
  assert.equal(nextOf(first), `/api/provider-graph${path}?offset=50000`);
  const second = await session.get(nextOf(first));
  assert.equal(first.body.markdown + second.body.markdown, text);
  assert.deepEqual(
    [second.body.offset, second.body.next_offset, second.headers.link],
    [50_000, null, undefined],
  );
  const whole = await session.get(`${path}?max_chars=1000000`);
  assert.equal(whole.body.markdown, text);
});

test("GRAPH-5: following the links yields the whole text, as JSON and as Markdown", async (t) => {
  const text = "a😀b\n漢字é👩🏽‍🚀".repeat(3);
  const { session } = await ownerOf(t, text);
  for (const headers of [{}, markdown]) {
    let whole = "";
    let next: string | null = `${path}?max_chars=4`;
    while (next !== null && whole.length <= text.length) {
      const part = await session.get(next, headers);
      whole += part.body?.markdown ?? part.text;
      next = part.headers.link === undefined ? null : nextOf(part);
    }
    assert.equal(whole, text);
  }
});

test("GRAPH-5: Accept: text/markdown returns only the text, and browsers execute none of it", async (t) => {
  const text = "<script>alert(1)</script> 😀";
  const { session } = await ownerOf(t, text);
  const answer = await session.get(path, markdown);
  assert.equal(answer.status, 200);
  assert.equal(answer.text, text);
  assert.equal(answer.headers["content-type"], "text/markdown; charset=utf-8");
  assert.equal(answer.headers["content-security-policy"], "sandbox");
  assert.equal(answer.headers["x-content-type-options"], "nosniff");
  assert.equal(answer.headers["cache-control"], "private, no-cache");
});

test("GRAPH-5: a text that looks like JSON is served as text", async (t) => {
  const { session } = await ownerOf(t, '{"a": 1}');
  assert.equal((await session.get(path, markdown)).text, '{"a": 1}');
  assert.equal((await session.get(path)).body.markdown, '{"a": 1}');
});

test("GRAPH-5: if Accept allows neither form the response is 406, as a JSON problem", async (t) => {
  const { session } = await ownerOf(t, "Text");
  const answer = await session.get(path, { accept: "text/html" });
  assert.deepEqual([answer.status, answer.body.code], [406, "not_acceptable"]);
  assert.match(String(answer.headers["content-type"]), /^application\/problem\+json/);
  assert.equal(answer.headers["cache-control"], "private, no-store");
});

test("GRAPH-5: a text that the client already has is not sent again", async (t) => {
  const { session } = await ownerOf(t, "Text");
  for (const accept of ["application/json", "text/markdown"]) {
    const first = await session.get(path, { accept });
    const tag = String(first.headers.etag);
    assert.match(tag, /^W\/"[^"]+"$/);
    const conditions = [tag, tag.slice(2), `"other", ${tag}`, "*"];
    for (const condition of conditions) {
      const again = await session.get(path, {
        accept,
        "if-none-match": condition,
        "cache-control": "no-cache, max-age=0",
        pragma: "no-cache",
      });
      assert.deepEqual([again.status, again.text], [304, ""], condition);
      assert.equal(again.headers.etag, tag);
      assert.equal(again.headers["cache-control"], "private, no-cache");
      assert.match(String(again.headers.vary), /^Authorization, Accept/);
      assert.equal((await session.call("HEAD", path, { accept, "if-none-match": condition })).status, 304);
    }
    assert.equal((await session.get(path, { accept, "if-none-match": '"other"' })).status, 200);
  }
});

test("GRAPH-5: an entity tag identifies one text, one representation and one part", async (t) => {
  const { session, server, userId } = await ownerOf(t, "Text");
  const tagOf = async (query = "", headers = {}) =>
    String((await session.get(path + query, headers)).headers.etag);
  const tag = await tagOf();
  assert.equal(await tagOf("?offset=0&max_chars=50000"), tag);
  const others = [await tagOf("", markdown), await tagOf("?offset=1"), await tagOf("?max_chars=2")];
  await server.fixture.database.transaction(async (trx) => {
    const { id } = await trx
      .selectFrom("connections")
      .select("id")
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    await saveContent(trx, id, nodeId(1), { markdown: "Next", references: [], state: "ready" });
  });
  others.push(await tagOf(), await tagOf("", markdown));
  assert.equal(new Set([tag, ...others]).size, 6);
  assert.equal((await session.get(path, { "if-none-match": tag })).status, 200);
});

test("GRAPH-5: a part beyond the end is empty", async (t) => {
  const { session } = await ownerOf(t, "😀😀");
  for (const offset of ["2", "3", "1000000000000"]) {
    const { status, body, headers } = await session.get(`${path}?offset=${offset}`);
    assert.deepEqual(
      [status, body.markdown, body.offset, body.total_chars, body.next_offset, headers.link],
      [200, "", Number(offset), 2, null, undefined],
    );
  }
});

test("GRAPH-5: a node without content has an empty text", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const updatedAt = Date.UTC(2031, 0, 1);
  const { id } = await owner.connect(workspace, [
    { number: 1, given: { updatedAt } },
    { number: 2, given: { type: "database", updatedAt } },
    { number: 3, given: { updatedAt } },
    { number: 4, given: { updatedAt }, text: "Before" },
  ]);
  await server.fixture.database.transaction(async (trx) => {
    await saveContent(trx, id, nodeId(2), { markdown: "", references: [], state: "empty" });
    await failContent(trx, id, nodeId(3), "too large");
    await failContent(trx, id, nodeId(4), "not today");
  });
  for (const number of [1, 2, 3]) {
    const of = `/nodes/${nodeId(number)}/content/`;
    const { status, body, headers } = await owner.session.get(of);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      node_id: nodeId(number),
      markdown: "",
      offset: 0,
      total_chars: 0,
      next_offset: null,
      updated_at: "2031-01-01T00:00:00.000Z",
    });
    const raw = await owner.session.get(of, markdown);
    assert.deepEqual(
      [raw.status, raw.text, raw.headers["content-type"]],
      [200, "", "text/markdown; charset=utf-8"],
    );
    assert.equal((await owner.session.get(of, { "if-none-match": String(headers.etag) })).status, 304);
  }
  assert.equal((await owner.session.get(`/nodes/${nodeId(4)}/content/`)).body.markdown, "Before");
});

test("GRAPH-5: an invalid range is reported with its parameter", async (t) => {
  const { session } = await ownerOf(t, "Text");
  const invalid = {
    offset: ["-1", "1.5", "x", "", "9007199254740992", "1e400", "0x1", "NaN"],
    max_chars: ["0", "-1", "1.5", "x", "", "1000001", "1e400"],
  };
  for (const [name, values] of Object.entries(invalid)) {
    for (const value of values) {
      const { status, body } = await session.get(`${path}?${name}=${value}`);
      assert.equal(status, 400, `${name}=${value}`);
      assert.deepEqual(
        [...new Set(body.errors.map((fault: { path: string }) => fault.path))],
        [`?${name}`],
        `${name}=${value}`,
      );
    }
  }
  assert.equal((await session.get(`${path}?cursor=x`)).status, 400);
});

const outlined =
  "intro 😀\n# Moons of *Jupiter*\nIo\n## Europa\nice\n```\n# no heading\n```\n# moons of jüpiter\nagain\n";

test("GRAPH-5: include=outline adds the headings of the whole text, with offsets that content/ takes", async (t) => {
  const { session } = await ownerOf(t, outlined);
  const { body } = await session.get(`${path}?include=outline&max_chars=5`);
  assert.deepEqual(body.headings, [
    { level: 1, text: "Moons of Jupiter", offset: 8 },
    { level: 2, text: "Europa", offset: 32 },
    { level: 1, text: "moons of jüpiter", offset: 67 },
  ]);
  for (const { text, offset } of body.headings) {
    const part = await session.get(`${path}?offset=${offset}`);
    assert.match(part.body.markdown.replaceAll("*", ""), new RegExp(`^#+ ${text}\n`));
  }
  assert.equal((await session.get(path)).body.headings, undefined);
  const raw = await session.get(`${path}?include=outline`, markdown);
  assert.equal(raw.text, outlined);
});

test("GRAPH-5: heading= starts at the first heading with that text, and the link continues from there", async (t) => {
  const { session } = await ownerOf(t, outlined);
  const whole = [...outlined];
  for (const heading of ["Moons of Jupiter", "MOONS  of jupitér", "moons of Jüpiter"]) {
    const of = `${path}?heading=${encodeURIComponent(heading)}`;
    const { body } = await session.get(of);
    assert.deepEqual([body.offset, body.markdown], [8, whole.slice(8).join("")], heading);
    const raw = await session.get(of, markdown);
    assert.equal(raw.text, body.markdown);
    let read = "";
    let next: string | null = `${of}&max_chars=9&include=outline`;
    while (next !== null) {
      const part = await session.get(next);
      read += part.body.markdown;
      assert.equal(part.body.headings.length, 3);
      next = part.headers.link === undefined ? null : nextOf(part);
    }
    assert.equal(read, body.markdown);
  }
});

test("GRAPH-5: a heading that the text does not have is 404, also for a client that has the text", async (t) => {
  const { session } = await ownerOf(t, outlined);
  for (const heading of ["no heading", "Moons", "%20", "Europa%20ice"]) {
    for (const headers of [{}, markdown, { "if-none-match": "*" }]) {
      const { status, body } = await session.get(`${path}?heading=${heading}`, headers);
      assert.deepEqual([status, body.code], [404, "not_found"], heading);
    }
  }
  for (const query of ["heading=", "heading=Europa&offset=3", "include=all", "include="]) {
    const { status, body } = await session.get(`${path}?${query}`);
    assert.deepEqual([status, body.code], [400, "invalid_request"], query);
  }
});

test("GRAPH-5: the entity tag depends on where the part starts and on the outline", async (t) => {
  const { session } = await ownerOf(t, outlined);
  const queries = ["", "?heading=Europa", "?heading=Moons%20of%20Jupiter", "?include=outline"];
  const tags = await Promise.all(
    queries.map(async (query) => String((await session.get(path + query)).headers.etag)),
  );
  assert.equal(new Set(tags).size, queries.length);
  for (const [index, query] of queries.entries()) {
    const statuses = tags.map(
      async (tag) => (await session.get(path + query, { "if-none-match": tag })).status,
    );
    assert.deepEqual(
      await Promise.all(statuses),
      queries.map((_, other) => (other === index ? 304 : 200)),
    );
  }
});

test("GRAPH-5: the outline of a long text is read in a thread, and says where it was cut", async (t) => {
  const lines = Array.from({ length: 30_000 }, (_, n) => `# ${n}\n`);
  const { session } = await ownerOf(t, lines.join(""));
  const { body } = await session.get(`${path}?heading=29999&include=outline`);
  assert.equal(body.markdown, "# 29999\n");
  assert.equal(body.headings_truncated, true);
  assert.ok(body.headings.length > 10_000);
  assert.deepEqual(body.headings[2], { level: 1, text: "2", offset: 8 });
});
