import assert from "node:assert/strict";
import { test } from "node:test";
import { maskCredentials } from "./mask-credentials.ts";

const random = "q8Zr3LmW0xTn5VbK7dYc2HgP";

/** Put together here, so that no scanner of secrets takes them for real ones. */
const credentials = {
  "a service token": `svc_${random}`,
  "a token of Notion": `ntn_${random}`,
  "an older token of Notion": `secret_${random}`,
  "a token of GitHub": `ghp_${random}`,
  "a finer token of GitHub": `github_pat_${random}`,
  "a token of GitLab": `glpat-${random}`,
  "a token of Slack": `xoxb-${"1".repeat(12)}-${random}`,
  "a key of a model's API": `sk-ant-${random}`,
  "a key of Stripe": `sk_live_${random}`,
  "an access key of AWS": `AKIA${"IOSFODNN7EXAMPLE"}`,
  "a key of Google": `AIza${random}`,
  "a JWT": `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${random}`,
  "an identity of age": `AGE-SECRET-KEY-1${random}`,
  "a run of letters and digits": random,
  "a digest": "d41d8cd98f00b204e9800998ecf8427e",
  base64: "dGhpcyBpcyBhIHNlY3JldCBrZXk5OTk=",
};

for (const [what, credential] of Object.entries(credentials)) {
  test(`APP-9: ${what} is masked`, () => {
    const shown = maskCredentials(`where is ${credential} used?`);
    assert.equal(shown, "where is [masked] used?");
  });
}

for (const [text, shown] of [
  ["password: hunter2", "password: [masked]"],
  ["the password is hunter2, ok", "the password is [masked] ok"],
  ['api_key="my key" here', "api_key=[masked] here"],
  ["Authorization: Bearer abc", "Authorization: Bearer [masked]"],
  ["https://me:pass@host/page", "https://[masked]@host/page"],
  ["a -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- b", "a [masked] b"],
] as const) {
  test(`APP-9: a credential is known by what is around it: ${JSON.stringify(text)}`, () => {
    assert.equal(maskCredentials(text), shown);
  });
}

for (const text of [
  "jupiter moons",
  "how do I reset a password",
  "token expiry 2026",
  "01234567-89ab-4cde-8f01-23456789abcd",
  "Donaudampfschifffahrtsgesellschaft",
  "2026-budget-review-of-the-third-quarter",
  "目标 の 木星 برجيس",
  "+49 30 1234567890",
]) {
  test(`APP-9: words are left as they are: ${JSON.stringify(text)}`, () => {
    assert.equal(maskCredentials(text), text);
  });
}
