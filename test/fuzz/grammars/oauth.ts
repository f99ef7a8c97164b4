import { authorizationParameters, revocationParameters, tokenParameters } from "@clew/contract";
import fc from "fast-check";
import { validExchange, validRequest } from "../../oauth/app.ts";
import { type FuzzRequest, namedUrl } from "../ground.ts";
import { hostileText, mutated, mutatedJson } from "../hostile.ts";
import { queryOf, requestGrammar, tryRequest } from "./requests.ts";

type Fields = Readonly<Record<string, string>>;

/** The parameters of a valid request, some changed, missing or repeated, and some unknown ones. */
function changedFields(fields: Fields, names: readonly string[]): fc.Arbitrary<string> {
  const all = [...new Set([...Object.keys(fields), ...names])];
  const one = (name: string) => {
    const value = fields[name];
    const valid = value === undefined ? [] : [[name, value] as const];
    return fc.oneof(
      { weight: 6, arbitrary: fc.constant(valid) },
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: mutated(fc.constant(value ?? "x")).map((text) => [[name, text] as const]) },
      { weight: 1, arbitrary: hostileText.map((text) => [...valid, [name, text] as const]) },
    );
  };
  return fc.tuple(...all.map(one)).map((some) => queryOf(some.flat()));
}

const form = { "content-type": "application/x-www-form-urlencoded" };
const get = (path: string, query: string): FuzzRequest => ({
  method: "GET",
  path: `${path}?${query}`,
  as: "anonymous",
});
const post = (path: string, body: string, headers: Fields = form): FuzzRequest => ({
  method: "POST",
  path,
  as: "anonymous",
  headers,
  body,
});

const clients: readonly Fields[] = [
  {},
  { client_id: "https://program.example/client.json", redirect_uri: "https://program.example/back" },
  { client_id: "https://[::1]:99999/", redirect_uri: "myapp:/back" },
  { client_id: "clew-login", redirect_uri: "http://127.0.0.1:1/callback" },
];
const authorization = fc
  .constantFrom(...clients)
  .chain((client) => changedFields({ ...validRequest(namedUrl), ...client }, authorizationParameters));

const registration = mutatedJson(
  fc.constant({
    client_name: "A program",
    redirect_uris: ["http://127.0.0.1:49152/callback", "https://program.example/back"],
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: "graph:read",
    client_uri: "https://program.example/",
  }),
).map((json) => JSON.stringify(json));

const code = "c".repeat(43);
const requests = fc.oneof(
  authorization.map((query) => get("/oauth/authorize", query)),
  changedFields(validExchange(namedUrl, code), tokenParameters).map((body) => post("/oauth/token", body)),
  changedFields({ token: `svc_${code}`, token_type_hint: "access_token" }, revocationParameters).map((body) =>
    post("/oauth/revoke", body),
  ),
  registration.map((body) => post("/oauth/register", body, { "content-type": "application/json" })),
  changedFields({ code, state: code }, ["error", "error_description", "scope"]).map((query) =>
    get("/api/integrations/auth/provider/callback", query),
  ),
  changedFields({}, ["next", "redirect"]).map((query) => get("/api/integrations/auth/provider/", query)),
);

/** Parameters and documents of programs that connect, and of sign-ins (APP-1 to APP-5, SIGN-4). */
export const oauth = requestGrammar("oauth", requests, tryRequest);
