import assert from "node:assert/strict";
import { chown, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { parseLocation } from "../../packages/server/src/model/database-location.ts";
import { databaseExists, openDatabase } from "../../packages/server/src/store/database.ts";
import { DatabaseError } from "../../packages/server/src/store/port.ts";
import { connectTo, onPostgres } from "../../packages/server/src/store/testing/location.ts";
import { startTestServer } from "../../scripts/postgres.ts";
import { makeAuthority, makeCertificate, noCertificates } from "../support/certificates.ts";

const skip = (!onPostgres && "it is run with the tests that use PostgreSQL") || noCertificates;

test("OPS-8: with sslmode=verify-full only a server with a valid certificate for the host is used", {
  skip,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "clew-tls-"));
  t.after(() => rm(folder, { recursive: true }));
  for (const authority of ["other", "right"]) makeAuthority(folder, authority);
  makeCertificate(folder, "server", "right", 2);

  const server = await startTestServer();
  t.after(() => server.stop());
  const admin = await connectTo(server.url);
  const { rows } = await admin.query("show data_directory");
  const { uid, gid } = await stat(rows[0].data_directory);
  for (const path of [folder, join(folder, "server.key"), join(folder, "server.pem")])
    await chown(path, uid, gid);
  await admin.query(`alter system set ssl_cert_file = '${join(folder, "server.pem")}'`);
  await admin.query(`alter system set ssl_key_file = '${join(folder, "server.key")}'`);
  await admin.query("alter system set ssl = on");
  await admin.query("select pg_reload_conf()");
  await admin.end();

  const url = (host: string, parameters: string, password = "clew") => {
    const location = new URL(server.url);
    location.hostname = host;
    location.password = password;
    location.search = parameters;
    return location.href;
  };
  const verified = (authority: string) =>
    `sslmode=verify-full&sslrootcert=${join(folder, `${authority}.pem`)}`;
  // Until the server has read its settings again.
  while (
    !(await databaseExists(parseLocation(url("localhost", verified("right")))).then(
      () => true,
      () => false,
    ))
  );
  const database = await openDatabase({ location: parseLocation(url("localhost", verified("right"))) });
  assert.equal(await database.ready(), true);
  await database.close();

  const refusals: [string, RegExp][] = [
    [url("localhost", verified("other"), "hunter2"), /cannot be reached: .*certificate/],
    [url("localhost", "sslmode=verify-full", "hunter2"), /cannot be reached: .*certificate/],
    [
      url("127.0.0.1", verified("right"), "hunter2"),
      /cannot be reached: .*IP: 127\.0\.0\.1 is not in the cert's list/,
    ],
    [
      url("localhost", `sslmode=verify-full&sslrootcert=${join(folder, "none.pem")}`, "hunter2"),
      /none\.pem, cannot be read/,
    ],
    [
      url("localhost", verified("right"), "hunter2"),
      /cannot be reached: .*password authentication failed for user/,
    ],
  ];
  for (const [refused, message] of refusals) {
    await assert.rejects(openDatabase({ location: parseLocation(refused) }), (error) => {
      assert.ok(error instanceof DatabaseError);
      assert.match(error.message, message);
      for (let each: unknown = error; each instanceof Error; each = each.cause)
        assert.ok(!`${each.stack}`.includes("hunter2"), "it holds no password");
      return true;
    });
  }
});
