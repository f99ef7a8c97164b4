import { SampleFolder } from "@clew/folder/testing";
import type { Behavior, ProviderUnderTest, Sample } from "@clew/provider-contract";
import { type FaultRule, giveConsent, startTestStandIn } from "@clew/stand-in/testing";
import { timelessProvider } from "./provider.ts";

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
  const folder = await SampleFolder.write(sample);
  const client = { clientId: "client", clientSecret: "client-secret" };
  const { directory, clock } = folder;
  const standIn = await startTestStandIn({ directory, clock, ...client });
  const { provider } = timelessProvider(new URL(standIn.url));
  const redirectUri = "http://localhost/callback";
  const answer = await giveConsent(provider.authorizationUrl({ state: "s", redirectUri }));
  const code = new URL(answer).searchParams.get("code") ?? "";
  const { accessToken } = await provider.exchange({
    code,
    redirectUri,
    signal: new AbortController().signal,
  });
  return {
    provider,
    accessToken,
    async rewrite(title, text) {
      await folder.rewrite(title, text);
      await standIn.reload();
    },
    async remove(title) {
      await folder.remove(title);
      await standIn.reload();
    },
    behave: async (as) => standIn.faults.set(faultsOf[as].map((rule) => ({ on: "*", ...rule }))),
    async close() {
      await standIn.close();
      await folder.close();
    },
  };
}
