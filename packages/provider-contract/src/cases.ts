import { test } from "node:test";
import { changeCases } from "./cases/changes.ts";
import { failureCases } from "./cases/failures.ts";
import { nodeCases } from "./cases/nodes.ts";
import { signInCases } from "./cases/sign-in.ts";
import { tagCases } from "./cases/tags.ts";
import { textCases } from "./cases/texts.ts";
import type { Case, OpenProvider } from "./provider-under-test.ts";
import { whyNever } from "./read.ts";
import { sample } from "./sample.ts";

/** All cases. Each begins with the sample as it is. */
export const cases: readonly Case[] = [
  ...nodeCases,
  ...textCases,
  ...changeCases,
  ...tagCases,
  ...failureCases,
  ...signInCases,
];

/** Runs one case on a new provider. Returns why it was left out, if the service cannot behave as the case needs. */
export async function runCase({ needs, run }: Case, open: OpenProvider): Promise<string | null> {
  const under = await open(sample);
  try {
    const reason = needs === undefined ? null : whyNever(under, needs);
    if (reason === null) await run(under);
    return reason;
  } finally {
    await under.close();
  }
}

/**
 * Registers a test for each case.
 *
 * @example
 * describeProvider("Example", async (sample) => openExample(sample)); // in a test file of packages/example
 */
export function describeProvider(name: string, open: OpenProvider): void {
  for (const one of cases)
    test(`${one.name} (${name})`, async (t) => {
      const reason = await runCase(one, open);
      if (reason !== null) t.skip(reason);
    });
}
