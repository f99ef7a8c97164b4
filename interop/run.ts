import { runAuthorizationConformance, runByAddress } from "./by-address.ts";
import { type Clew, startClew } from "./clew.ts";
import { runConformance } from "./conformance.ts";
import { runDocumented } from "./documented.ts";
import { aiSdk } from "./programs/ai-sdk.ts";
import { clewMcp, mcpRemote } from "./programs/bridges.ts";
import { langChain } from "./programs/langchain.ts";
import { mastra } from "./programs/mastra.ts";
import { mcpSdk } from "./programs/mcp-sdk.ts";
import { openAiAgents } from "./programs/openai-agents.ts";
import { type Program, runSession } from "./session.ts";

/**
 * `npm run interop`: programs that others wrote use a Clew with the demo workspace through the Model Context Protocol.
 * `npm run interop -- mastra` runs those whose names contain a word.
 */
const programs: readonly Program[] = [mcpSdk, mcpRemote, clewMcp, aiSdk, langChain, openAiAgents, mastra];

const trials = new Map<string, (clew: Clew) => Promise<readonly string[]>>([
  ...programs.map((program) => [program.name, (clew: Clew) => runSession(program, clew)] as const),
  ["docs/agents.md", runDocumented],
  ["by address", runByAddress],
  ["@modelcontextprotocol/conformance", ({ open }: Clew) => runConformance(open)],
  ["@modelcontextprotocol/conformance authorization", runAuthorizationConformance],
]);

const words = process.argv.slice(2);
const chosen = [...trials].filter(
  ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
);
let failed = chosen.length === 0 ? 1 : 0;

const clew = await startClew();
try {
  for (const [name, tryIt] of chosen) {
    try {
      const did = await tryIt(clew);
      console.log(`✔ ${name}\n${did.map((line) => `    ${line}`).join("\n")}`);
    } catch (error) {
      failed += 1;
      console.log(`✖ ${name}`, error);
    }
  }
} finally {
  await clew.stop();
}
console.log(`${chosen.length - failed} programs passed, ${failed} failed`);
// Some programs do not clear their timers.
process.exit(failed === 0 ? 0 : 1);
