import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { AppDecision, AppRequest } from "@clew/contract";
import type { SignedIn } from "../test/support/session.ts";

/** A person's browser without a screen: it is signed in at a Clew, and allows every program all that it asks for. */
export class ScriptedBrowser {
  readonly #url: URL;
  readonly #session: SignedIn;

  constructor(url: URL, session: SignedIn) {
    this.#url = url;
    this.#session = session;
  }

  /** Opens the address to which a program leads the person, and allows the program. Returns where the browser is sent then. */
  async allow(address: URL): Promise<URL> {
    const begun = await fetch(address, { redirect: "manual" });
    const page = begun.headers.get("location");
    if (page === null) throw new Error(`status ${begun.status}: ${await begun.text()}`);
    const id = new URL(page).searchParams.get("request");
    // A request with a fault is sent back to the program at once.
    if (id === null) throw new Error(`sent back: ${page}`);
    const cookie = begun.headers.getSetCookie().at(-1)?.split(";")[0] ?? "";
    const { scopes, workspaces, redirect_to } = await this.#ask<AppRequest>(id, cookie);
    if (redirect_to !== null) throw new Error(`refused: ${redirect_to}`);
    const choice = { scopes, workspace_ids: workspaces.map((each) => each.id), expires_in_days: 1 };
    const decision = await this.#ask<AppDecision>(`${id}/approve`, cookie, choice);
    return new URL(decision.redirect_to);
  }

  /** The same for a program that listens on this machine: the browser goes where it is sent. */
  async allowAndReturn(address: URL): Promise<void> {
    const response = await fetch(await this.allow(address));
    await response.body?.cancel();
  }

  /** Ends the tokens of all programs. */
  async revokeAll(): Promise<void> {
    const headers = { authorization: `Bearer ${this.#session.access}` };
    const list = await fetch(new URL("api/tokens/?is_active=true&limit=100", this.#url), { headers });
    const { items } = (await list.json()) as { items: { id: number }[] };
    for (const { id } of items)
      await fetch(new URL(`api/tokens/${id}/`, this.#url), { method: "DELETE", headers });
  }

  async #ask<Body>(path: string, cookie: string, body?: object): Promise<Body> {
    const response = await fetch(new URL(`api/apps/requests/${path}/`, this.#url), {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${this.#session.access}`,
        cookie,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: status ${response.status}: ${await response.text()}`);
    return (await response.json()) as Body;
  }
}

/** Reads what a program prints, and follows the first address for the person in it. */
export async function follow(stream: Readable, browser: ScriptedBrowser) {
  const lines: string[] = [];
  let isAllowed = false;
  for await (const line of createInterface({ input: stream })) {
    lines.push(line);
    const [address] = /https?:\/\/\S+\/oauth\/authorize\?\S+/.exec(line) ?? [];
    if (address === undefined || isAllowed) continue;
    isAllowed = true;
    await browser.allowAndReturn(new URL(address));
  }
  return { isAllowed, printed: lines.join("\n") };
}

/** Runs a program of Node to its end, and follows the address that it prints for the person. Returns what it printed. */
export async function runWithBrowser(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  browser: ScriptedBrowser,
): Promise<string> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const outputs = await Promise.all([child.stdout, child.stderr].map((stream) => follow(stream, browser)));
  const printed = outputs.map((each) => each.printed).join("\n");
  assert.ok(
    outputs.some(({ isAllowed }) => isAllowed),
    printed,
  );
  return printed;
}
