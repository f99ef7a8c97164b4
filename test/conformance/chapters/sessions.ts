import assert from "node:assert/strict";
import type { RawAnswer } from "../../support/raw-request.ts";
import type { Chapter, Section } from "../section.ts";
import { get, post } from "../stage.ts";
import { table } from "../table.ts";

const validate: Section = {
  title: "GET /api/auth/validate/",
  source: "§4, §5.1",
  demand: "Checks a bearer token: the response says whether it is valid.",
  async show(page, { session, send }) {
    const valid = await page.exchange(get("/api/auth/validate/", session.access));
    const invalid = await page.exchange(get("/api/auth/validate/", "made-up"));
    await page.claim("a valid access token is reported as valid", () => {
      assert.deepEqual([valid.status, valid.body.valid, valid.body.token_type], [200, true, "access"]);
    });
    await page.claim("anything else is 401: a made-up token, a refresh token, no token", async () => {
      const refresh = await send(get("/api/auth/validate/", session.refresh));
      const none = await send(get("/api/auth/validate/"));
      assert.deepEqual([invalid.status, refresh.status, none.status], [401, 401, 401]);
    });
    await page.claim("the word *Bearer* is required", async () => {
      const bare = await send({ ...get("/api/auth/validate/"), headers: { Authorization: session.access } });
      assert.equal(bare.status, 401);
    });
  },
};

const me: Section = {
  title: "GET /api/auth/me/",
  source: "§4",
  demand: "With a bearer token the response is the current user.",
  async show(page, { session, send }) {
    const answer = await page.exchange(get("/api/auth/me/", session.access));
    await page.claim("it is the person who signed in", () => {
      assert.deepEqual([answer.status, answer.body.name], [200, "Librarian"]);
    });
    await page.claim("without a token it is refused", async () => {
      assert.equal((await send(get("/api/auth/me/"))).status, 401);
    });
  },
};

const refresh: Section = {
  title: "POST /api/auth/refresh/",
  source: "§3.3, §4, §5.2",
  demand: "The body contains `refresh`; the response contains `access`, a new access token.",
  async show(page, { session, send, masks }) {
    const request = post("/api/auth/refresh/", { refresh: session.refresh });
    const learn = ({ body }: RawAnswer) => masks.hide(body.access, "<NEW_ACCESS_TOKEN>");
    const answer = await page.exchange(request, { learn });
    await page.claim("`access` is a new token", () => {
      assert.equal(answer.status, 200);
      assert.notEqual(answer.body.access, session.access);
    });
    await page.claim("the new token is accepted", async () => {
      assert.equal((await send(get("/api/auth/validate/", answer.body.access))).status, 200);
    });
    const missing = await page.exchange(post("/api/auth/refresh/", {}));
    await page.claim("`refresh` is required", () => {
      assert.deepEqual([missing.status, missing.body.errors[0].path], [400, "/refresh"]);
    });
    await page.claim("an access token is not accepted as a refresh token", async () => {
      assert.equal((await send(post("/api/auth/refresh/", { refresh: session.access }))).status, 401);
    });
  },
};

const logout: Section = {
  title: "POST /api/auth/logout/",
  source: "§3.2, §4, §5.3",
  demand:
    "With a valid access token in the header and the refresh token in the body, the refresh token is blacklisted: it " +
    "obtains no more access tokens.",
  async show(page, stage) {
    const { send } = stage;
    const leaving = await stage.signIn("LEAVING");
    const body = { refresh: leaving.refresh };
    await page.claim("without the header the session does not end", async () => {
      assert.equal((await send(post("/api/auth/logout/", body))).status, 401);
      assert.equal((await send(post("/api/auth/refresh/", body))).status, 200);
    });
    await page.claim("without `refresh` in the body the session does not end", async () => {
      assert.equal((await send(post("/api/auth/logout/", {}, leaving.access))).status, 400);
      assert.equal((await send(post("/api/auth/refresh/", body))).status, 200);
    });
    const answer = await page.exchange(post("/api/auth/logout/", body, leaving.access));
    await page.claim("the response to the logout has no body", () => assert.equal(answer.status, 204));
    const late = await page.exchange(post("/api/auth/refresh/", body));
    await page.claim("the refresh token no longer obtains access tokens", () =>
      assert.equal(late.status, 401),
    );
    await page.claim("the session's access token is refused at once, too", async () => {
      assert.equal((await send(get("/api/auth/validate/", leaving.access))).status, 401);
    });
    await page.claim("other sessions of the same person stay valid", async () => {
      assert.equal((await send(get("/api/auth/validate/", stage.session.access))).status, 200);
    });
  },
};

interface Claims {
  readonly iat: number;
  readonly exp: number;
}

const lifetimes: Section = {
  title: "Lifetimes in the tokens",
  source: "§2.1, §5.1, §8",
  demand: "Both tokens are JWTs. The access token is valid for 4 hours, the refresh token for 7 days.",
  async show(page, { session }) {
    const read = (token: string): Claims =>
      JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const lifetime = (token: string) => read(token).exp - read(token).iat;
    const rows = [
      ["access token", `${lifetime(session.access)} s`, "4 h × 3600 s"],
      ["refresh token", `${lifetime(session.refresh)} s`, "7 d × 86400 s"],
    ];
    page.say(table(["token", "`exp` − `iat`", "demanded"], rows));
    await page.claim("the access token is valid for 4 hours", () =>
      assert.equal(lifetime(session.access), 4 * 3_600),
    );
    await page.claim("the refresh token is valid for 7 days", () =>
      assert.equal(lifetime(session.refresh), 7 * 86_400),
    );
  },
};

export const sessionChapter: Chapter = {
  title: "Session tokens",
  sections: [validate, me, refresh, logout, lifetimes],
};
