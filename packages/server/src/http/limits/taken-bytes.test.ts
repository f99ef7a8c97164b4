import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { takenBytesOf } from "./taken-bytes.ts";

/** More bytes than the operating system buffers of an unread response. */
const large = 64 * 1024 * 1024;

test("LIM-3: Node shows how many bytes of a response the operating system has accepted", async (t) => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const client = connect(address.port, "127.0.0.1");
  const [socket]: Socket[] = await once(server, "connection");
  assert.ok(socket);
  t.after(() => {
    client.destroy();
    socket.destroy();
    server.close();
  });
  assert.equal(takenBytesOf(socket), 0);
  socket.write(Buffer.alloc(large));
  await setImmediate();
  const accepted = takenBytesOf(socket);
  assert.ok(accepted > 0 && accepted < large, `${accepted} bytes`);
  let received = 0;
  await new Promise<void>((resolve) => {
    client.on("data", ({ length }) => {
      received += length;
      if (received === large) resolve();
    });
  });
  assert.equal(takenBytesOf(socket), large);
  socket.destroy();
  assert.equal(takenBytesOf(socket), 0);
});
