import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Behavior, Paragraph, ProviderUnderTest, Sample } from "@clew/provider-contract";
import { type FaultRule, giveConsent, startTestStandIn } from "@clew/stand-in/testing";
import { timelessProvider } from "./provider.ts";

const minuteMs = 60_000;

/** The faults of the stand-in for each behavior. */
const faultsOf: Readonly<Record<Behavior, readonly Omit<FaultRule, "on">[]>> = {
  well: [],
  "busy once": [{ fault: { kind: "error", code: "rate_limited", retryAfter: 1 }, times: 1 }],
  busy: [{ fault: { kind: "error", code: "rate_limited", retryAfter: 1 } }],
  down: [{ fault: { kind: "bad_gateway" } }],
  garbled: [{ fault: { kind: "empty" } }],
  withdrawn: [{ fault: { kind: "withdrawn" } }],
};

/** Notion, through a stand-in that serves the sample from a folder. */
export async function openNotion(sample: Sample): Promise<ProviderUnderTest> {
  const directory = await mkdtemp(join(tmpdir(), "clew-contract-"));
  // Times at the provider are whole minutes.
  let now = Math.floor(Date.now() / minuteMs) * minuteMs;
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
    await utimes(join(directory, path), now / 1000, now / 1000);
  };
  const pathOf = (title: string) => pathIn(sample, title);
  for (const { title, text } of sample.pages) await write(pathOf(title), markdownOf(text, pathOf));
  for (const { title, rows } of sample.databases) {
    await write(`${title}/_database.yml`, "properties: {}\n");
    for (const row of rows) await write(`${title}/${row}.md`, "");
  }
  const client = { clientId: "client", clientSecret: "client-secret" };
  const standIn = await startTestStandIn({ directory, clock: () => now, ...client });
  const { provider } = timelessProvider(new URL(standIn.url));
  const redirectUri = "http://localhost/callback";
  const answer = await giveConsent(provider.authorizationUrl({ state: "s", redirectUri }));
  const code = new URL(answer).searchParams.get("code") ?? "";
  const { accessToken } = await provider.exchange({ code, redirectUri, signal: AbortSignal.timeout(10_000) });
  return {
    provider,
    accessToken,
    async rewrite(title, text) {
      now += 2 * minuteMs;
      await write(pathOf(title), markdownOf(text, pathOf));
      await standIn.reload();
    },
    async remove(title) {
      now += 2 * minuteMs;
      await rm(join(directory, pathOf(title)));
      await standIn.reload();
    },
    behave: async (as) => standIn.faults.set(faultsOf[as].map((rule) => ({ on: "*", ...rule }))),
    async close() {
      await standIn.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** The file of a page: in a folder of its own if it contains pages. */
function pathIn(sample: Sample, title: string): string {
  const folder = (of: string | null): string => {
    const page = sample.pages.find((one) => one.title === of);
    return page === undefined ? "" : `${folder(page.parent)}${page.title}/`;
  };
  if (sample.pages.some(({ parent }) => parent === title)) return `${folder(title)}index.md`;
  return `${folder(sample.pages.find((one) => one.title === title)?.parent ?? null)}${title}.md`;
}

function markdownOf(text: readonly Paragraph[], pathOf: (title: string) => string): string {
  return text
    .map((one) => (typeof one === "string" ? one : `[${one.linkTo}](/${pathOf(one.linkTo)})`))
    .join("\n\n");
}
