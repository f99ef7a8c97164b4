import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@clew/client";
import { QueryClient } from "@tanstack/react-query";
import { importantQuery, proposedPathQuery, recentQuery } from "../views/graph/queries.ts";
import { earlyRequests } from "./early-requests.ts";
import { meQuery, workspacesQuery } from "./queries.ts";

const clew = new URL("http://clew.example/below/");
const dashboard = new URL("dashboard/", clew);

/** The addresses that the queries of the application ask for. */
async function askedBy(
  read: (client: QueryClient, api: ReturnType<typeof createClient>) => Promise<unknown>,
) {
  const asked: string[] = [];
  const send: typeof fetch = async (input) => {
    asked.push(String(input));
    return Response.json({ items: [], path: null });
  };
  await read(new QueryClient(), createClient({ url: clew, fetch: send }));
  return asked;
}

const earlyAt = (path: string) =>
  earlyRequests(new URL(path, dashboard), dashboard, null).map((each) => new URL(`api/${each}`, clew).href);

test("the early requests are those that the start of the graph makes, to the letter", async () => {
  const asked = await askedBy(async (client, api) => {
    await client.fetchQuery(meQuery(api));
    await client.fetchQuery(workspacesQuery(api));
    await client.fetchQuery(importantQuery(api));
    await client.fetchQuery(recentQuery(api));
    await client.fetchQuery(proposedPathQuery(api));
  });
  for (const path of ["graph", "graph/", "./"]) assert.deepEqual(earlyAt(path), asked, path);
  assert.deepEqual(earlyAt("graph?q=moon"), asked.slice(0, 3));
  for (const path of ["tokens", "graph/9a4beed0", "graph/map"])
    assert.deepEqual(earlyAt(path), asked.slice(0, 2), path);
});

test("APP-4: at an app's request the early requests are for who is signed in and for that request alone", async () => {
  const asked = await askedBy(async (client, api) => {
    await client.fetchQuery(meQuery(api));
    await api.getAppRequest({ id: "a-request" });
  });
  const early = earlyRequests(new URL("connect?request=a-request", dashboard), dashboard, "a-request");
  assert.deepEqual(
    early.map((each) => new URL(`api/${each}`, clew).href),
    asked,
  );
});
