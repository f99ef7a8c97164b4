import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { verifyKey } from "../../secrets/open-secrets.ts";
import { createSecrets, resealFrom } from "../../secrets/secrets.ts";
import { writeClientKey } from "../../store/queries/installation.ts";
import { createAuthFixture } from "../testing/auth-fixture.ts";
import { Registrations, resealClientKey } from "./registrations.ts";

const random = (size: number) => new Uint8Array(randomBytes(size));
const metadata = { client_name: "A client", redirect_uris: ["https://app.example/callback"] };

test("APP-3: a client id opens on every instance, after restarts, and after a change of the encryption key", async (t) => {
  const { database, secrets } = await createAuthFixture(t);
  await verifyKey(database, secrets);
  const at = (key: typeof secrets) => new Registrations({ database, secrets: key, random });
  // Instances that make the key at the same time agree on it.
  const instances = [at(secrets), at(secrets), at(secrets)];
  const ids = await Promise.all(
    instances.map(async (each) => (await each.register(metadata, 5_000)).client_id),
  );
  for (const each of [...instances, at(secrets)])
    for (const id of ids) assert.equal((await each.open(id))?.name, "A client");
  const next = createSecrets(random(32), random);
  const reseal = resealFrom(secrets, next);
  assert.equal(await database.transaction((trx) => resealClientKey(trx, reseal)), 1);
  assert.equal(await database.transaction((trx) => resealClientKey(trx, reseal)), 0);
  for (const id of ids) assert.deepEqual((await at(next).open(id))?.redirectUris, metadata.redirect_uris);
});

test("APP-3: a registration is answered with its time in seconds", async (t) => {
  const { database, secrets } = await createAuthFixture(t);
  await verifyKey(database, secrets);
  const registered = await new Registrations({ database, secrets, random }).register(metadata, 1_795_000_999);
  assert.equal(registered.client_id_issued_at, 1_795_000);
});

test("APP-3: a client that registered with an earlier version is known", async (t) => {
  const { database } = await createAuthFixture(t);
  const secrets = createSecrets(new Uint8Array(32).fill(7), random);
  await verifyKey(database, secrets);
  const sealed = "Afp49yrzs4mEeVAcqlYkfrLY7Of4r3U96PTOSJd6GAKGkDqQ5NYTZg63dnaZGhUJcfrxOqYTjYv6oLWU+Q==";
  await database.transaction((trx) => writeClientKey(trx, Buffer.from(sealed, "base64")));
  const id =
    "app_AZLQo-6jX0mkI76LnvlYyyiUm19q2aAf94DGTS8K_4B74d2lEbR55MHulDytspI6ZYPFNOTU3HS4l0ZWH3fTeRACpNthV_UawNkd7RvDGIU8W0xyDfuFrlB4eBfi6yc";
  assert.equal((await new Registrations({ database, secrets, random }).open(id))?.name, "A client");
});

test("APP-3: an id of another installation, or an altered one, is no client here", async (t) => {
  const [one, other] = [await createAuthFixture(t), await createAuthFixture(t)];
  for (const { database, secrets } of [one, other]) await verifyKey(database, secrets);
  const [here, there] = [one, other].map((each) => new Registrations({ ...each, random }));
  const { client_id: id } = (await there?.register(metadata, 1)) ?? { client_id: "" };
  assert.equal(await here?.open(id), null);
  assert.ok(await there?.open(id));
  const flipped = id.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  for (const wrong of ["", "app_", "app_AAAA", `${id}A`, id.slice(0, -4), flipped])
    assert.equal(await there?.open(wrong), null, wrong);
});
