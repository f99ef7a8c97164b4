import assert from "node:assert/strict";
import { test } from "node:test";
import type { AppRequest, ServiceToken } from "@clew/client";
import { appLifetimeDays } from "@clew/contract";
import {
  approvalOf,
  type Consent,
  consentOf,
  daysOf,
  destinationOf,
  endableTokens,
  faultsOf,
  fitting,
  offeredDays,
} from "./consent.ts";

const workspace = (id: string) => ({ id, name: id, icon: null, status: "active" as const });
const token = (id: number) => ({ id }) as ServiceToken;

/** A request for two scopes, of a person with two workspaces. */
const request: AppRequest = {
  expires_at: "2026-11-24T10:00:00Z",
  client: { name: "Reader", kind: "registered", host: null },
  redirect: { host: "reader.example", is_loopback: false, uri: "https://reader.example/callback" },
  resource: "https://clew.example/api/v1/mcp",
  scopes: ["graph:search", "graph:read"],
  workspaces: [workspace("w1"), workspace("w2")],
  limit_reached: false,
  usable_tokens: [],
  earlier_token: null,
  redirect_to: null,
};

test("APP-4: all that is asked for is ticked, for 30 days, and no token ends", () => {
  const consent = consentOf(request);
  assert.deepEqual(faultsOf(consent, request), []);
  assert.deepEqual(approvalOf("id", consent), {
    id: "id",
    scopes: ["graph:search", "graph:read"],
    workspace_ids: ["w1", "w2"],
    expires_in_days: appLifetimeDays.standard,
  });
});

test("APP-4: a lifetime is a whole number of days, from one to a year", () => {
  for (const days of [...offeredDays.map(String), "2", " 364 "]) assert.ok(daysOf({ days }), days);
  for (const days of ["", " ", "0", "-1", "1.5", "366", "never"]) assert.equal(daysOf({ days }), null, days);
  const faults = faultsOf({ workspaceIds: [], scopes: [], days: "", endTokenId: null }, request);
  assert.deepEqual(faults, ["workspaces", "scopes", "days"]);
});

test("APP-4: with ten tokens one must be chosen, otherwise only an earlier one can be", () => {
  const full = { ...request, limit_reached: true, usable_tokens: [token(1), token(2)] };
  const consent = consentOf(full);
  assert.deepEqual(faultsOf(consent, full), ["end"]);
  assert.deepEqual(faultsOf({ ...consent, endTokenId: 2 }, full), []);
  assert.deepEqual(
    endableTokens(full).map(({ id }) => id),
    [1, 2],
  );
  assert.deepEqual(
    endableTokens({ ...full, earlier_token: token(2) }).map(({ id }) => id),
    [2, 1],
  );
  assert.deepEqual(endableTokens(request), []);
  assert.deepEqual(endableTokens({ ...request, earlier_token: token(7) }), [token(7)]);
  // Places that codes hold leave nothing to choose from.
  assert.deepEqual(faultsOf(consent, { ...full, usable_tokens: [] }), []);
});

test("APP-4: what is gone when the request is read again is not chosen any more", () => {
  const chosen: Consent = { workspaceIds: ["w2", "w1"], scopes: ["graph:read"], days: "7", endTokenId: 3 };
  const later = { ...request, workspaces: [workspace("w2"), workspace("w3")] };
  assert.deepEqual(fitting(chosen, later), { ...chosen, workspaceIds: ["w2"], endTokenId: null });
  const earlier = { ...request, earlier_token: token(3) };
  assert.equal(fitting(chosen, earlier).endTokenId, 3);
});

test("APP-4: a redirect leads to a website, to this computer, or to an app of this device", () => {
  const destination = (host: string, is_loopback = false) => destinationOf({ host, is_loopback });
  assert.equal(destination("claude.ai"), "website");
  assert.equal(destination("127.0.0.1", true), "computer");
  assert.equal(destination("[::1]", true), "computer");
  assert.equal(destination("cursor:"), "device");
});
