import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { serveFiles } from "../testing/serve-folder.ts";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks, and what it received. */
async function receive(t: TestContext, status: number): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(status).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return { url: `http://127.0.0.1:${address.port}/hook`, received };
}

const now = Date.UTC(2026, 0, 1);
const entity = { id: "00000000-0000-4000-8000-000000000001", type: "page" } as const;

test("an event is signed over the bytes that are sent, and says what webhooks say", async (t) => {
  const { standIn } = await serveFiles(t, { "a.md": "# A" }, { clock: () => now });
  const { url, received } = await receive(t, 204);
  const event = { type: "page.content_updated", entity, data: { updated_blocks: [], note: "é 星" } };
  assert.equal(await standIn.sendWebhook(url, "secret_of_it", event), 204);
  const [{ headers, body } = { headers: {}, body: "" }] = received;
  const signature = createHmac("sha256", "secret_of_it").update(body).digest("hex");
  assert.equal(headers["x-notion-signature"], `sha256=${signature}`);
  const { id, ...rest } = JSON.parse(body);
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, {
    timestamp: "2026-01-01T00:00:00.000Z",
    workspace_id: standIn.workspace().id,
    accessible_by: [],
    attempt_number: 1,
    ...event,
  });
});

test("an event can be sent again as it was, and the receiver's refusal is told", async (t) => {
  const { standIn } = await serveFiles(t, { "a.md": "# A" });
  const { url, received } = await receive(t, 500);
  const event = { type: "page.deleted", entity, id: "the-same", attempt_number: 2 };
  assert.equal(await standIn.sendWebhook(url, "key", event), 500);
  assert.deepEqual(
    [JSON.parse(received[0]?.body ?? "{}")].map(({ id, attempt_number }) => [id, attempt_number]),
    [["the-same", 2]],
  );
});

test("a subscription begins with its verification token", async (t) => {
  const { standIn } = await serveFiles(t, { "a.md": "# A" });
  const { url, received } = await receive(t, 200);
  assert.equal(await standIn.sendVerificationToken(url, "secret_of_it"), 200);
  assert.deepEqual(JSON.parse(received[0]?.body ?? ""), { verification_token: "secret_of_it" });
  assert.equal(received[0]?.headers["x-notion-signature"], undefined);
});
