import assert from "node:assert/strict";
import type { RawRequest } from "../../support/raw-request.ts";
import type { Chapter, Page, Section } from "../section.ts";
import { get, post, remove, type Stage, workspaceId } from "../stage.ts";
import { table } from "../table.ts";

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

interface Moment {
  /** Milliseconds since the token was created. */
  readonly after: number;
  readonly name: string;
  readonly request: RawRequest;
}

/** Sends one request at several times, shows the responses as a table, and returns their statuses. */
async function watch(page: Page, stage: Stage, moments: readonly Moment[]): Promise<number[]> {
  const statuses: number[] = [];
  const rows: string[][] = [];
  let passed = 0;
  for (const { after, name, request } of moments) {
    stage.advance(after - passed);
    passed = after;
    const { status, body } = await stage.send(request);
    statuses.push(status);
    rows.push([
      name,
      `\`${request.method} ${request.path}\``,
      body?.code ? `${status} \`${body.code}\`` : `${status}`,
    ]);
  }
  page.say(table(["time passed", "request", "answer"], rows));
  return statuses;
}

const accessToken: Section = {
  title: "An access token after 4 hours",
  source: "§3.3, §8",
  demand: "It is valid for 4 hours and then expires. A valid refresh token obtains a new one.",
  async show(page, stage) {
    const { access, refresh } = await stage.signIn("TIMED");
    const request = get("/api/auth/validate/", access);
    const statuses = await watch(page, stage, [
      { after: 0, name: "none", request },
      { after: 4 * hour - second, name: "4 hours less a second", request },
      { after: 4 * hour, name: "4 hours", request },
    ]);
    await page.claim("it counts until the last second, and not after", () =>
      assert.deepEqual(statuses, [200, 200, 401]),
    );
    await page.claim("the refresh token obtains a new one, which counts", async () => {
      const renewed = await stage.send(post("/api/auth/refresh/", { refresh }));
      assert.equal((await stage.send(get("/api/auth/validate/", renewed.body.access))).status, 200);
    });
  },
};

const refreshToken: Section = {
  title: "A refresh token after 7 days",
  source: "§3.2, §8",
  demand: "After 7 days it has expired and obtains no access tokens.",
  async show(page, stage) {
    const { refresh } = await stage.signIn("TIMED");
    const request = post("/api/auth/refresh/", { refresh });
    const statuses = await watch(page, stage, [
      { after: 0, name: "none", request },
      { after: 7 * day - second, name: "7 days less a second", request },
      { after: 7 * day, name: "7 days", request },
    ]);
    await page.claim("it serves again and again until the last second, and not after", () => {
      assert.deepEqual(statuses, [200, 200, 401]);
    });
  },
};

const lateAccess: Section = {
  title: "An access token obtained at the last moment",
  source: "§2.1, §3.2",
  demand: "Nothing that a refresh token obtained outlives its session.",
  async show(page, stage) {
    const { refresh } = await stage.signIn("TIMED");
    stage.advance(7 * day - hour);
    const { body } = await stage.send(post("/api/auth/refresh/", { refresh }));
    stage.masks.hide(body.access, "<LATE_ACCESS_TOKEN>");
    page.say("The access token is obtained an hour before the refresh token expires.");
    const request = get("/api/auth/validate/", body.access);
    const statuses = await watch(page, stage, [
      { after: hour - second, name: "an hour less a second", request },
      { after: hour, name: "an hour", request },
    ]);
    await page.claim("it ends with the session", () => assert.deepEqual(statuses, [200, 401]));
  },
};

const blacklisted: Section = {
  title: "A refresh token that was logged out",
  source: "§3.2",
  demand: "Logging out moves a valid refresh token to *blacklisted*, which it never leaves.",
  async show(page, stage) {
    const { access, refresh } = await stage.signIn("TIMED");
    await stage.send(post("/api/auth/logout/", { refresh }, access));
    const request = post("/api/auth/refresh/", { refresh });
    const statuses = await watch(page, stage, [
      { after: 0, name: "none", request },
      { after: day, name: "a day", request },
      { after: 8 * day, name: "8 days", request },
    ]);
    await page.claim("it obtains nothing, then or later", () => assert.deepEqual(statuses, [401, 401, 401]));
  },
};

const expiringToken: Section = {
  title: "A service token that expires",
  source: "§2.3, §3.4",
  demand: "At `expires_at` an active token expires and can no longer be used.",
  async show(page, stage) {
    const { access } = await stage.signIn("TIMED");
    const workspaces = [await workspaceId(stage, { access, refresh: "" })];
    const wish = { name: "for a day", scopes: ["graph:read"], workspace_ids: workspaces, expires_in_days: 1 };
    const { body } = await page.exchange(post("/api/tokens/", wish, access));
    const request = get("/api/v1/token/", body.token);
    const statuses = await watch(page, stage, [
      { after: 0, name: "none", request },
      { after: day - second, name: "a day less a second", request },
      { after: day, name: "a day", request },
      { after: 30 * day, name: "30 days", request },
    ]);
    await page.claim("it is usable until that moment, and not after", () => {
      assert.deepEqual(statuses, [200, 200, 401, 401]);
    });
    await page.claim("its record says so", async () => {
      const later = await stage.signIn("TIMED");
      const { items } = (await stage.send(get("/api/tokens/", later.access))).body;
      const record = items.find(({ id }: { id: number }) => id === body.id);
      assert.deepEqual([record.is_active, record.status], [false, "expired"]);
    });
  },
};

const lastingToken: Section = {
  title: "A service token without an expiry",
  source: "§2.5, §8",
  demand: "If `expires_in_days` is left out, the token never expires.",
  async show(page, stage) {
    const session = await stage.signIn("TIMED");
    const { token, expires_at } = await stage.createToken({ name: "for good", session });
    const request = get("/api/v1/token/", token);
    const statuses = await watch(page, stage, [
      { after: 0, name: "none", request },
      { after: 365 * day, name: "a year", request },
      { after: 3_650 * day, name: "ten years", request },
    ]);
    await page.claim("`expires_at` is null", () => assert.equal(expires_at, null));
    await page.claim("it is still usable after ten years", () => assert.deepEqual(statuses, [200, 200, 200]));
  },
};

const revokedToken: Section = {
  title: "A service token that was revoked",
  source: "§3.4",
  demand: "Revocation is permanent.",
  async show(page, stage) {
    const session = await stage.signIn("TIMED");
    const { token, id } = await stage.createToken({ name: "regretted", session });
    const path = `/api/tokens/${id}/`;
    const use = get("/api/v1/token/", token);
    const revoke = remove(path, session.access);
    const statuses = await watch(page, stage, [
      { after: 0, name: "none", request: use },
      { after: 0, name: "none", request: revoke },
      { after: 0, name: "none", request: use },
      { after: hour, name: "an hour", request: revoke },
      { after: hour, name: "an hour", request: use },
      { after: 365 * day, name: "a year", request: use },
    ]);
    await page.claim("from the revocation on it is refused, however much time passes", () => {
      assert.deepEqual(statuses, [200, 204, 401, 204, 401, 401]);
    });
    await page.claim("no request makes it active again", async () => {
      for (const method of ["PUT", "PATCH", "POST"]) {
        assert.equal((await stage.send({ ...revoke, method })).status, 405, method);
      }
    });
    await page.claim("its id is not used again", async () => {
      const later = await stage.signIn("TIMED");
      assert.ok((await stage.createToken({ name: "successor", session: later })).id > id);
    });
  },
};

export const stateChapter: Chapter = {
  title: "States over time",
  sections: [accessToken, refreshToken, lateAccess, blacklisted, expiringToken, lastingToken, revokedToken],
};
