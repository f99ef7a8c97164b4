import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { type RunningClew, startRunning } from "../support/running-clew.ts";

const quota = 10;

/** A Clew whose limit of open routes this address has used up, and the number of requests that it handled since. */
async function openRefusing(t: TestContext) {
  let handled = 0;
  const clew = await startRunning({
    env: { RATE_LIMIT_OPEN: String(quota) },
    onServer: (server) => {
      server.addHook("onRequest", async () => {
        handled += 1;
      });
    },
  });
  t.after(() => clew.stop());
  for (let used = 0; used < quota; used += 1) {
    const answer = await fetch(new URL("llms.txt", clew.url));
    assert.equal(answer.status, 200);
    await answer.body?.cancel();
  }
  handled = 0;
  return { clew, handled: () => handled };
}

/** Sends requests in one packet, and returns what arrives until Clew closes the connection. */
async function pipeline({ url }: RunningClew, requests: number): Promise<string> {
  const socket = connect(Number(url.port), "127.0.0.1").setEncoding("utf8");
  let received = "";
  socket.on("data", (text) => {
    received += text;
  });
  // Clew resets connections with requests that it has not read.
  socket.on("error", () => {});
  socket.write(`GET /llms.txt HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`.repeat(requests));
  await once(socket, "close");
  return received;
}

test("LIM-2: a refusal closes its connection, and the requests pipelined behind it are not handled", async (t) => {
  const { clew, handled } = await openRefusing(t);
  const answers = await Promise.all(Array.from({ length: 20 }, () => pipeline(clew, 4)));
  for (const answer of answers) {
    assert.match(answer, /^HTTP\/1\.1 429 /);
    assert.match(answer, /^connection: close\r$/im);
    assert.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1);
  }
  assert.equal(handled(), 20);
});

test("LIM-3: of a flood of pipelined requests one per connection is handled, and probes are answered", async (t) => {
  const { clew, handled } = await openRefusing(t);
  const connections = 20;
  await Promise.all(Array.from({ length: connections }, () => pipeline(clew, 1000)));
  assert.equal(handled(), connections);
  assert.equal((await fetch(new URL("readyz", clew.url))).status, 200);
});
