import { createToken } from "../test/support/session.ts";
import { runByAddress } from "./by-address.ts";
import { withClew } from "./clew.ts";
import { runAuthorizationConformance, runConformance } from "./conformance.ts";
import { runDocumented } from "./documented.ts";
import { aiSdk } from "./programs/ai-sdk.ts";
import { clewMcp, mcpRemote } from "./programs/bridges.ts";
import { langChain } from "./programs/langchain.ts";
import { mastra } from "./programs/mastra.ts";
import { mcpSdk } from "./programs/mcp-sdk.ts";
import { openAiAgents } from "./programs/openai-agents.ts";
import { type Program, runSession, type Server } from "./session.ts";

/**
 * `npm run interop`: programs that others wrote use a Clew with the demo workspace through the Model Context Protocol.
 * `npm run interop -- mastra` runs those whose names contain a word.
 */
const programs: readonly Program[] = [mcpSdk, mcpRemote, clewMcp, aiSdk, langChain, openAiAgents, mastra];

const trials = new Map<string, (server: Server) => Promise<readonly string[]>>([
  ...programs.map((program) => [program.name, (server: Server) => runSession(program, server)] as const),
  ["docs/agents.md", runDocumented],
  ["by address", runByAddress],
  ["@modelcontextprotocol/conformance", runConformance],
  ["@modelcontextprotocol/conformance authorization", runAuthorizationConformance],
]);

const words = process.argv.slice(2);
const chosen = [...trials].filter(
  ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
);
let failed = chosen.length === 0 ? 1 : 0;

await withClew(async ({ url, mcp, session }) => {
  const { token } = await createToken(url, session, "interop");
  for (const [name, tryIt] of chosen) {
    try {
      const did = await tryIt({ url: mcp, token });
      console.log(`✔ ${name}\n${did.map((line) => `    ${line}`).join("\n")}`);
    } catch (error) {
      failed += 1;
      console.log(`✖ ${name}`, error);
    }
  }
});
console.log(`${chosen.length - failed} programs passed, ${failed} failed`);
// Some programs do not clear their timers.
process.exit(failed === 0 ? 0 : 1);
