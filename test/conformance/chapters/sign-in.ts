import assert from "node:assert/strict";
import { giveConsent } from "@clew/stand-in/testing";
import type { RawAnswer } from "../../support/raw-request.ts";
import type { Chapter, Section } from "../section.ts";
import { get, post, welcome } from "../stage.ts";

/** Values from the first step that the second one uses. */
const begun = { callback: "", cookie: "" };

const consentScreen: Section = {
  title: "GET /api/integrations/auth/provider/",
  source: "§3.1 step 1, §4",
  demand: "A request to this path redirects to the consent screen of the workspace provider.",
  async show(page, { masks }) {
    const learn = ({ headers }: RawAnswer) => {
      const place = new URL(String(headers.location));
      masks.hide(place.searchParams.get("state") ?? "", "<STATE>");
    };
    const answer = await page.exchange(get("/api/integrations/auth/provider/"), {
      headers: ["Set-Cookie"],
      learn,
    });
    const place = new URL(String(answer.headers.location));
    await page.claim("the response is a redirect", () => assert.equal(answer.status, 302));
    await page.claim("its target is a page of the provider that asks for consent", async () => {
      const screen = await fetch(place);
      assert.equal(screen.status, 200);
      assert.match(await screen.text(), /<button[^>]*>Allow<\/button>/);
    });
    await page.claim("the redirect URI is the callback path", () => {
      const back = new URL(place.searchParams.get("redirect_uri") ?? "");
      assert.equal(back.pathname, "/api/integrations/auth/provider/callback");
    });
    begun.callback = await giveConsent(place.href);
    begun.cookie = String(answer.headers["set-cookie"]).split(";")[0] ?? "";
  },
};

const callback: Section = {
  title: "GET /api/integrations/auth/provider/callback",
  source: "§3.1 steps 2–4, §4",
  demand:
    "The provider sends the person back with a `code`. Clew exchanges it, creates or updates the user, issues an access " +
    "and a refresh token, and redirects to the dashboard with both in the URL fragment.",
  async show(page, stage) {
    const back = new URL(begun.callback);
    await page.claim("pressing *Allow* redirected here with a `code`", () =>
      assert.ok(back.searchParams.get("code")),
    );
    stage.masks.hide(back.searchParams.get("code") ?? "", "<CODE>");
    const request = { ...get(back.pathname + back.search), headers: { Cookie: begun.cookie } };
    const learn = ({ headers }: RawAnswer) => {
      const fragment = new URLSearchParams(new URL(String(headers.location)).hash.slice(1));
      stage.masks.hide(fragment.get("access_token") ?? "", "<ACCESS_TOKEN>");
      stage.masks.hide(fragment.get("refresh_token") ?? "", "<REFRESH_TOKEN>");
    };
    const headers = ["Set-Cookie", "Cache-Control", "Referrer-Policy"];
    const answer = await page.exchange(request, { headers, learn });
    const place = new URL(String(answer.headers.location));
    const fragment = new URLSearchParams(place.hash.slice(1));
    stage.session = {
      access: fragment.get("access_token") ?? "",
      refresh: fragment.get("refresh_token") ?? "",
    };
    await page.claim("the redirect goes to the dashboard", () => {
      assert.equal(`${answer.status} ${place.origin}`, `302 ${stage.clew.url.origin}`);
      assert.equal(place.pathname, "/dashboard");
    });
    await page.claim("the tokens are in the fragment, which no server sees, and the query is empty", () => {
      assert.ok(stage.session.access && stage.session.refresh);
      assert.equal(place.search, "");
    });
    await page.claim("both are JWTs", () => {
      for (const token of Object.values(stage.session)) assert.match(token, /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
    });
    await page.claim("the access token is accepted, and its user exists", async () => {
      const me = await stage.send(get("/api/auth/me/", stage.session.access));
      assert.deepEqual([me.status, me.body.email], [200, "librarian@workspace.example"]);
    });
    await page.claim("a second use of the callback does not sign in", async () => {
      const again = await stage.send(request);
      assert.match(String(again.headers.location), /#error=invalid_state&/);
    });
    await welcome(stage, stage.session);
  },
};

const status: Section = {
  title: "GET /api/integrations/auth/provider/status",
  source: "§4",
  demand: "The OAuth status can be read. The content of the response is not specified.",
  async show(page, { session }) {
    const path = "/api/integrations/auth/provider/status";
    const anonymous = await page.exchange(get(path));
    const signedIn = await page.exchange(get(path, session.access));
    await page.claim("anyone can read whether sign-in is configured", () => {
      assert.deepEqual([anonymous.status, anonymous.body.configured], [200, true]);
    });
    await page.claim("only a signed-in person sees workspaces", () => {
      assert.equal(anonymous.body.workspaces, null);
      assert.equal(signedIn.body.workspaces[0].name, "Reading room");
    });
  },
};

const userRecord: Section = {
  title: "The user record",
  source: "§2.2, §3.1 step 3",
  demand: "Each successful sign-in creates the user, or updates the one that exists.",
  async show(page, stage) {
    const before = await stage.send(get("/api/auth/me/", stage.session.access));
    page.say("A minute later the same person signs in again.");
    stage.advance(60_000);
    const again = await stage.signIn("SECOND");
    const after = await page.exchange(get("/api/auth/me/", again.access));
    await page.claim("the user is the same as after the first sign-in", () => {
      assert.equal(after.body.id, before.body.id);
      assert.equal(after.body.created_at, before.body.created_at);
    });
    await page.claim("the record was updated", () => {
      const times = [before, after].map(({ body }) => Date.parse(body.last_sign_in_at));
      assert.equal((times[1] ?? 0) - (times[0] ?? 0), 60_000);
    });
    await page.claim("another person is another user", async () => {
      const visitor = await stage.signIn("VISITOR", { person: "Visitor" });
      const them = await stage.send(get("/api/auth/me/", visitor.access));
      assert.notEqual(them.body.id, before.body.id);
    });
  },
};

const noPasswords: Section = {
  title: "No registration, no password",
  source: "§1",
  demand: "People sign in only through the provider. There is no registration and no password.",
  async show(page, { send }) {
    const credentials = { username: "somebody", password: "something" };
    const answer = await page.exchange(post("/api/auth/register/", credentials));
    await page.claim("there is no path for registration", () => assert.equal(answer.status, 404));
    await page.claim("there is no path to log in with a password", async () => {
      for (const name of ["login", "signin", "signup", "token", "password", "users"]) {
        assert.equal((await send(post(`/api/auth/${name}/`, credentials))).status, 404, name);
      }
    });
    await page.claim("no message of the API has a field for a password", async () => {
      const { text } = await send(get("/api/v1/openapi.json"));
      assert.doesNotMatch(text, /"(?:password|passwd|username|user_name)"/i);
    });
  },
};

export const signInChapter: Chapter = {
  title: "Signing in",
  sections: [consentScreen, callback, status, userRecord, noPasswords],
};
