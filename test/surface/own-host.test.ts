import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { freePort } from "../support/clew-process.ts";
import { type RawAnswer, senderTo } from "../support/raw-request.ts";
import { startRunning } from "../support/running-clew.ts";
import { expectWellFormed } from "./expectations.ts";
import { openRoutes } from "./policy.ts";
import { pathOf } from "./routes.ts";
import { openSurface, type Surface } from "./surface.ts";

const foreign = "evil.example:8420";
/** Methods that have routes, and one that has none. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

const unknownId = "00000000-0000-4000-8000-000000000001";

describe("requests that name another host, where PUBLIC_URL is loopback", () => {
  let surface: Surface;
  let secretPage = "";
  before(async () => {
    surface = await openSurface();
    secretPage = await surface.idOf(await surface.signIn(), "Atlas of islands");
  });
  after(() => surface.close());

  /** Sends a request without credentials, as a page of another site can have a browser send it. */
  async function call(method: string, path: string, host: string): Promise<RawAnswer> {
    const json = method === "POST" ? { "content-type": "application/json" } : {};
    const request = { method, path, headers: { host, ...json } };
    const answer = await surface.send(request);
    expectWellFormed(request, answer);
    return answer;
  }

  function expectMisdirected(answer: RawAnswer, method: string, label: string): void {
    assert.equal(answer.status, 421, `${label}: ${answer.text.slice(0, 300)}`);
    if (method === "HEAD") return;
    assert.equal(answer.body.code, "misdirected_request", label);
    assert.match(answer.body.detail, /set PUBLIC_URL/, label);
  }

  test("SIGN-11: every route that answers without credentials refuses it, but not the probes", async () => {
    let refused = 0;
    for (const pattern of surface.routes.patterns()) {
      const path = pathOf(pattern, unknownId, unknownId);
      for (const method of methods) {
        const label = `${method} ${pattern}`;
        const own = await call(method, path, surface.clew.url.host);
        const answer = await call(method, path, foreign);
        const needsCredentials = own.status === 401 && !openRoutes.has(label);
        if (needsCredentials || /^(?:GET|HEAD) \/(?:healthz|readyz)$/.test(label)) {
          assert.equal(answer.status, own.status, label);
          continue;
        }
        expectMisdirected(answer, method, label);
        refused += 1;
      }
    }
    assert.ok(refused > openRoutes.size, `${refused} routes refused`);
  });

  test("SIGN-11: neither pages nor paths that do not exist can be read under another name", async () => {
    const paths = [
      `/demo/pages/${secretPage}`,
      "/dashboard",
      "/docs",
      "/llms.txt",
      "/api/v1/openapi.json",
      "/nothing",
      "/api/nothing/",
      "/dashboard/nothing",
      "//dashboard",
    ];
    for (const path of paths) {
      for (const method of ["GET", "HEAD", "POST", "OPTIONS", "PROPFIND"]) {
        const answer = await call(method, path, foreign);
        expectMisdirected(answer, method, `${method} ${path}`);
        assert.doesNotMatch(answer.text, /Atlas/);
      }
    }
  });

  test("SIGN-11: loopback names are accepted on any port, and nothing that only looks like one", async () => {
    const { port } = surface.clew.url;
    const own = ["localhost", "LocalHost:1", "clew.localhost", "127.0.0.1", "127.8.9.1", "[::1]", "[::1]:80"];
    for (const host of [...own, `localhost:${port}`])
      assert.equal((await call("GET", "/docs", host)).status, 200, host);
    const others = [
      ...["localhost.evil.example", "evil-localhost", "127.0.0.1.evil.example", "127.evil.example"],
      ...["0.0.0.0", "192.168.1.7:8420", "[::ffff:7f00:1]", "[::]", "[fe80::1]", "2130706433", "0x7f.1", "a"],
    ];
    for (const host of others) expectMisdirected(await call("GET", "/docs", host), "GET", host);
  });

  test("SIGN-11: a malformed host stays 400", async () => {
    for (const host of ["local host", "localhost/", "user@localhost", "localhost:8420:1"])
      assert.equal((await call("GET", "/docs", host)).status, 400, host);
  });
});

test("SIGN-11: a trusted proxy can rename a request, but not to another host", async (t) => {
  const clew = await startRunning({ env: { TRUST_PROXY: "loopback" } });
  t.after(() => clew.stop());
  const send = senderTo(clew.url);
  const status = async (host: string, forwarded: string) => {
    const headers = { host, "x-forwarded-host": forwarded };
    return (await send({ method: "GET", path: "/docs", headers })).status;
  };
  assert.equal(await status("localhost", "clew.localhost"), 200);
  assert.equal(await status("localhost", "evil.example"), 421);
  assert.equal(await status("evil.example", "localhost"), 421);
});

test("SIGN-11: where PUBLIC_URL is not loopback, other names lead to Clew too", async (t) => {
  const port = String(await freePort());
  const open = { PORT: port, PUBLIC_URL: "https://clew.example", STAND_IN: "1", OPEN_SIGN_IN: "1" };
  const clew = await startRunning({ env: open });
  t.after(() => clew.stop());
  const send = senderTo(new URL(`http://127.0.0.1:${port}`));
  for (const host of ["clew.example", "clew.internal:8420", "localhost"]) {
    assert.equal((await send({ method: "GET", path: "/docs", headers: { host } })).status, 200, host);
    assert.equal((await send({ method: "GET", path: "/nothing", headers: { host } })).status, 404, host);
  }
});
