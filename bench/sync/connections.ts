import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { forEachConcurrently } from "../../packages/server/src/sync/provider-calls.ts";
import { markdownPage, writeFiles } from "../../test/support/markdown-folder.ts";
import { settingsFor, startNotion } from "../../test/support/notion.ts";
import { clientOf, type SignedIn, signIn, waitForSync } from "../../test/support/session.ts";
import { openStage } from "../../test/support/stage.ts";
import { residentBytesOf } from "../graph/child.ts";
import { duration, megabytes, table } from "../graph/figures.ts";
import { time } from "../graph/measure.ts";

/**
 * Measures one instance with many people, each with a small workspace: `CONNECTIONS=2000 PAGES=10 npm run
 * bench connections`. The provider and the people are in this process. It ends with an error if a search does not find
 * every page.
 */
const connections = Number(process.env.CONNECTIONS ?? 2_000);
const pages = Number(process.env.PAGES ?? 10);

/** People who sign in at a time. */
const arrivalsAtATime = 8;

/** Words of a page, some 2 kB of text. */
const words = 300;

/** In the text of every page. */
const commonWord = "ariadne";

const stage = await openStage();
try {
  const directory = join(stage.folder, "pages");
  await writeFiles(directory, workspaceFiles());
  const notion = await startNotion(stage, directory, { followFolder: false });
  const clew = await stage.start({ ...settingsFor(notion), LOG_LEVEL: "error" });
  console.log(`${connections} connections of ${pages} pages, ${cpus()[0]?.model}, ${cpus().length} cores`);
  const memoryBefore = await residentBytesOf(clew.pid);

  const began = performance.now();
  const sessions: SignedIn[] = [];
  const people = Array.from({ length: connections }, (_, number) => personOf(number));
  await forEachConcurrently(people, arrivalsAtATime, async (person) => {
    sessions.push(await signIn(clew.url, { person }));
  });
  const arrived = performance.now();
  for (const session of sessions) await waitForSync(clew.url, session);
  const synced = performance.now();

  const search = async (session: SignedIn) => {
    const { items } = await clientOf(clew.url, session).searchTexts({ q: commonWord, limit: pages });
    if (items.length !== pages) throw new Error(`${items.length} of ${pages} pages were found`);
  };
  const first = await time({ measured: sessions, warmUp: [] }, search);
  const again = await time({ measured: sessions, warmUp: [] }, search);
  const memory = await residentBytesOf(clew.pid);
  const searchRow = (name: string, { p50, p99, max }: typeof first) => [
    `text search, ${name} of each person: p50 · p99 · longest`,
    [p50, p99, max].map(duration).join(" · "),
  ];
  console.log(`load ${loadavg()[0]?.toFixed(1)}\n`);
  console.log(
    table(
      ["measured", "figure"],
      [
        ["all have signed in after", duration((arrived - began) * 1000)],
        ["all are synced after", duration((synced - began) * 1000)],
        searchRow("the first", first),
        searchRow("the second", again),
        ["resident memory before · after", `${megabytes(memoryBefore)} · ${megabytes(memory)}`],
      ],
    ),
  );
} finally {
  await stage.close();
}

function personOf(number: number): string {
  return `Person ${number}`;
}

/** The same pages for everybody; each person's connection has a graph and an index of its own. */
function workspaceFiles(): Record<string, string> {
  const people = Array.from(
    { length: connections },
    (_, number) => `- { name: ${personOf(number)}, email: person-${number}@demo.example }\n`,
  );
  const texts = Array.from({ length: pages }, (_, page) => {
    const drawn = Array.from(
      { length: words },
      (_, word) => `w${((page * 31 + word * word) % 5000).toString(36)}x`,
    );
    return [`page-${page}.md`, markdownPage(`Page ${page}`, `${drawn.join(" ")} ${commonWord}`)];
  });
  return { "_people.yml": people.join(""), ...Object.fromEntries(texts) };
}
