import assert from "node:assert/strict";
import { test } from "node:test";
import { describeAddress, parsePostgresUrl, shareConnections } from "./postgres-address.ts";

test("OPS-8: a PostgreSQL database is named by a URL", () => {
  assert.deepEqual(parsePostgresUrl("postgres://clew:p%40ss@[::1]:5433/my%20clew?connection_limit=7"), {
    host: "::1",
    port: 5433,
    user: "clew",
    password: "p@ss",
    database: "my clew",
    tls: null,
    prepares: true,
    maxConnections: 7,
  });
  const socket = parsePostgresUrl("postgresql:///clew?host=/var/run/postgresql&pgbouncer=true");
  assert.deepEqual([socket.host, socket.user, socket.prepares], ["/var/run/postgresql", null, false]);
});

test("OPS-8: off this machine a connection is verified, or in plain text because the URL says so", () => {
  const tlsOf = (parameters: string) => parsePostgresUrl(`postgres://clew@db.example/clew${parameters}`).tls;
  assert.deepEqual(tlsOf("?sslmode=verify-full"), { rootCertificate: null });
  assert.deepEqual(tlsOf("?sslmode=verify-full&sslrootcert=/ca.pem"), { rootCertificate: "/ca.pem" });
  assert.equal(tlsOf("?sslmode=disable"), null);
  for (const parameters of ["", "?sslmode=require", "?sslmode=verify-ca", "?sslmode=prefer", "?sslmode="])
    assert.throws(() => tlsOf(parameters), /sslmode/, parameters);
  assert.throws(() => tlsOf("?sslmode=disable&sslrootcert=/ca.pem"), /sslrootcert/);
});

test("OPS-5: what is wrong in a URL is described without repeating it", () => {
  for (const url of [
    "postgres://clew:hunter2@localhost",
    "postgres://clew:hunter2@one,two/clew",
    "postgres://clew:hunter2@localhost/clew/more",
    "postgres://clew:hunter2@localhost/clew?ssl=1",
    "postgres://clew:hunter2@localhost/clew?pgbouncer=1",
    "postgres://clew:hunter2@localhost/clew?connection_limit=1",
    "postgres://clew:hunter2@db/clew",
    "postgres://clew:hunter2@local host/clew",
  ]) {
    assert.throws(
      () => parsePostgresUrl(url),
      (error) => error instanceof Error && !error.message.includes("hunter2"),
      url,
    );
  }
  const address = parsePostgresUrl("postgres://clew:hunter2@localhost/clew");
  assert.equal(describeAddress(address), "clew at localhost:5432");
});

test("OPS-8: a process divides its connections between the thread that answers and the one that syncs", () => {
  for (const [maxConnections, answering, syncing] of [
    [2, 1, 1],
    [3, 2, 1],
    [10, 7, 3],
    [20, 14, 6],
    [1000, 994, 6],
  ] as const)
    assert.deepEqual(shareConnections({ maxConnections }), { answering, syncing });
});
