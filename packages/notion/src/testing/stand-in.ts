import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { WorkspaceReader } from "@clew/provider";
import { giveConsent, startTestStandIn, type TestStandInOptions } from "@clew/stand-in/testing";
import { timelessProvider } from "./provider.ts";

/** Serves files through the stand-in, and reads them as a person who shares them all. */
export async function readerOfFiles(
  test: TestContext,
  files: Readonly<Record<string, string>>,
  options: Pick<TestStandInOptions, "queryRowLimit">,
): Promise<WorkspaceReader> {
  const directory = await mkdtemp(join(tmpdir(), "clew-provider-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  const standIn = await startTestStandIn({
    directory,
    clientId: "client",
    clientSecret: "client-secret",
    ...options,
  });
  test.after(async () => {
    await standIn.close();
    await rm(directory, { recursive: true });
  });
  const { provider } = timelessProvider(new URL(standIn.url));
  const redirectUri = "http://localhost/callback";
  const answer = await giveConsent(provider.authorizationUrl({ state: "s", redirectUri }));
  const code = new URL(answer).searchParams.get("code") ?? "";
  const { accessToken } = await provider.exchange({
    code,
    redirectUri,
    signal: new AbortController().signal,
  });
  return provider.reader(accessToken);
}
