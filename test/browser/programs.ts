import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { RegisteredClient } from "@clew/contract";
import { giveConsent } from "@clew/stand-in/testing";
import type { Locator, Page } from "playwright-core";
import { type Changes, validRequest } from "../oauth/app.ts";
import type { Stage } from "../support/stage.ts";

/** A program that waits on a loopback address for the browser to come back. */
export interface Program {
  /** Its own page, which is of another origin than Clew. */
  readonly page: string;
  readonly redirectUri: string;
}

/** Starts a program whose pages are empty. */
export async function startProgram(stage: Stage): Promise<Program> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end('<!doctype html><link rel="icon" href="data:,"><title>The program</title>');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stage.defer(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { page: `http://127.0.0.1:${port}/`, redirectUri: `http://127.0.0.1:${port}/callback` };
}

/** Registers a program, and returns its client id. */
export async function register(url: URL, name: string, redirectUri: string): Promise<string> {
  const response = await fetch(new URL("oauth/register", url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri] }),
  });
  if (response.status !== 201) throw new Error(await response.text());
  const { client_id } = (await response.json()) as RegisteredClient;
  return client_id;
}

/** The address to which a program sends the browser: by default one of Clew's own list, on a loopback address. */
export function authorizationUrl(url: URL, changes: Changes = {}): string {
  const address = new URL("oauth/authorize", url);
  const asked = { ...validRequest(url), ...changes };
  for (const [name, value] of Object.entries(asked))
    for (const each of [value ?? []].flat()) address.searchParams.append(name, each);
  return address.href;
}

/** The title of the view on which a person decides about a program. */
export const consentTitle = (page: Page): Locator =>
  page.getByRole("heading", { level: 1, name: "Let a program read your pages?" });

/** Opens the view at the end of a sign-in, without the pages on the way. */
export async function openRequest(page: Page, url: URL, changes: Changes = {}): Promise<void> {
  const { request } = page.context();
  const begun = await request.get(authorizationUrl(url, changes), { maxRedirects: 0 });
  const { search } = new URL(begun.headers().location ?? "");
  const provider = new URL(`api/integrations/auth/provider/${search}`, url);
  const started = await request.get(provider.href, { maxRedirects: 0 });
  await page.goto(await giveConsent(started.headers().location ?? ""));
  await consentTitle(page).waitFor();
}
