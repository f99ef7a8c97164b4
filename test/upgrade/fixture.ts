import { rm } from "node:fs/promises";
import { join } from "node:path";
import { call } from "../support/call.ts";
import type { Settings } from "../support/clew-process.ts";
import { markdownPage, setTimes, writeFiles } from "../support/markdown-folder.ts";
import { makeNotionToken, type Notion } from "../support/notion.ts";

/*
 * The workspace that the fixtures are about, the provider that has it, and what is asked of Clew. make-fixture.ts lets an
 * earlier Clew read the workspace; upgrade.test.ts goes on with that Clew's database.
 */

export const fixturesFolder = join(import.meta.dirname, "fixtures");

/** The files and facts of a fixture, beside its database. */
export interface Fixture {
  /** The commit of the Clew that made it. */
  readonly commit: string;
  /** Milliseconds since the Unix epoch. */
  readonly madeAt: number;
  /** A service token. */
  readonly token: string;
  /** A session's refresh token. */
  readonly refresh: string;
  /** The state of the provider, which knows the grants. */
  readonly provider: unknown;
  /** The last answers of the Clew that made it. */
  readonly answers: Answers;
}

export const workspaceId = "00000000-0000-4000-8000-000000000099";

/** The id of a page by its number. */
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

export const isPage = (given: string) => given.startsWith("00000000-0000-4000-8000-");

const page = (
  number: number,
  title: string,
  text: string,
  properties: Readonly<Record<string, string>> = {},
) => markdownPage(title, text, { id: id(number), ...properties });

/** Pages whose texts no sync can finish, so that each one asks for them: it fails, lacks a part, or shows `hidden`. */
export const unfinished = { failed: id(11), partial: id(12), unsettled: id(13) };

/** A page that no list has, and that the provider fails to look up. */
const hidden = id(14);

/** A page with a word that no other has, and the word. */
export const findable = { id: id(4), word: "fragrant" };

/** The workspace at the first sync. */
export const filesBefore: Readonly<Record<string, string>> = {
  "_workspace.yml": `name: Orchard\nid: ${workspaceId}\n`,
  "_people.yml":
    "- { name: Pomona, email: pomona@example.org }\n- { name: Vertumnus, email: v@example.org }\n",
  "trees/index.md": page(1, "Trees", "What grows here: [[Apple]], [[Pear]] and [quince](quince.md)."),
  "trees/apple.md": page(2, "Apple", "Keeps until March in a cool cellar. See [the cellar](../cellar.md)."),
  "trees/pear.md": page(3, "Pear", "Ripens off the tree.\n\n## Blossom\n\nEarly: beware of *frost*."),
  "trees/quince.md": page(4, "Quince", "Hard and fragrant; cooked with [[Pear]].", {
    aliases: "[Cydonia]",
  }),
  "cellar.md": page(5, "Cellar", "Racks of straw."),
  "felled.md": page(6, "Felled", "A plum that is gone by the second sync."),
  "harvests/_database.yml": `id: ${id(20)}\ntitle: Harvests\nproperties:\n  Crates: { type: number }\n  After: { type: relation, database: ../harvests }\n`,
  "harvests/first.md": page(21, "First harvest", "Windfalls of [[Apple]].", { Crates: "12" }),
  "harvests/second.md": page(22, "Second harvest", "Picked by hand.", { Crates: "40", After: "first.md" }),
  "unread.md": page(11, "Unread", "The provider fails to answer this."),
  "long.md": page(12, "Long", Array.from({ length: 12 }, (_, row) => `Row ${row} of trees.`).join("\n\n")),
  "unsettled/index.md": page(13, "Unsettled", "Below it is a page that no list has."),
  "unsettled/hidden.md": page(14, "Hidden", "Nobody asks for this text."),
};

/** The files that change before the last sync; null for those that are removed. */
export const changes: Readonly<Record<string, string | null>> = {
  "felled.md": null,
  "cellar.md": page(5, "Cellar", "Racks of straw, and a [[Quince]] for its scent.", {
    updated: "2026-03-01T12:00:00Z",
  }),
};

/** Writes files of the workspace. All have the same age, so that each copy of the folder is the same workspace. */
export async function writeWorkspace(
  folder: string,
  files: Readonly<Record<string, string | null>>,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const full = join(folder, path);
    if (text === null) await rm(full, { force: true });
    else await writeFiles(folder, { [path]: text });
  }
  await setTimes(folder, new Date("2026-02-06T11:00:00Z"));
}

/** The provider answers a text of more blocks than these in parts. */
export const provider = { clientSecret: "known to both", rateLimit: 0, markdownBlockLimit: 10 } as const;

/** The block with which the provider's first answer to the long page ends. */
async function secondPart(notion: Notion): Promise<string> {
  const response = await fetch(`${notion.url}/v1/pages/${unfinished.partial}/markdown`, {
    headers: { authorization: `Bearer ${await makeNotionToken(notion)}`, "notion-version": "2026-03-11" },
  });
  const { unknown_block_ids: parts } = (await response.json()) as { unknown_block_ids: string[] };
  const [part] = parts;
  if (part === undefined) throw new Error("The long page is not too long");
  return part;
}

/** Makes the provider fail at `unfinished` and `hidden`. */
export async function injectFaults(notion: Notion): Promise<void> {
  const text = "GET /v1/pages/:page_id/markdown";
  const fault = { kind: "error", code: "validation_error" } as const;
  notion.faults.set([
    { on: text, id: unfinished.failed, fault },
    { on: text, id: await secondPart(notion), fault },
    { on: ["GET /v1/pages/:page_id", "GET /v1/databases/:database_id"], id: hidden, fault },
    { on: "*", fault: { kind: "omitted", ids: [hidden] } },
  ]);
}

/** The settings of the fixtures' installation. Its key has never sealed anything else. */
export const settings: Settings = {
  ENCRYPTION_KEY: Buffer.from("the key of fixtures, never else.").toString("base64"),
  // Names the issuer of session tokens.
  PUBLIC_URL: "http://localhost:8420/",
  SYNC_INTERVAL: "0",
  OPEN_SIGN_IN: "1",
};

/** The requests whose answers an upgrade must keep: by the token below `api/v1/`, by the session below `api/`. */
const requests = {
  token: [
    "workspaces/",
    "token/",
    ...[1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 20, 21, 22].flatMap((number) => [
      `nodes/${id(number)}/`,
      `nodes/${id(number)}/content/`,
      `nodes/${id(number)}/neighbors/?limit=100`,
    ]),
    ...["quince", "cydonia", "harvest", "aple"].map((words) => `search/?q=${words}`),
    `paths/?from=${id(22)}&to=${id(5)}`,
  ].map((path) => `api/v1/${path}`),
  access: ["auth/me/", "auth/sessions/", "tokens/", "audit/", "provider-graph/workspaces/"].map(
    (path) => `api/${path}`,
  ),
};

/** Answers by the paths of their requests: bodies, and codes of refusals. */
export type Answers = Readonly<Record<string, unknown>>;

/** Sends `requests` with a service token and the access token of a session. Leaves out when these were last used. */
export async function readAnswers(
  base: URL,
  credentials: { readonly token: string; readonly access: string },
): Promise<Answers> {
  const answers: Record<string, unknown> = {};
  for (const kind of ["token", "access"] as const)
    for (const path of requests[kind]) {
      const { status, body } = await call(base, path, { token: credentials[kind] });
      answers[path] = status < 400 ? withoutUse(body) : body.code;
    }
  return answers;
}

const uses = ["last_used_at", "last_refreshed_at"];

function withoutUse(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (name, value) => (uses.includes(name) ? undefined : value)));
}
