import assert from "node:assert/strict";
import { test } from "node:test";
import { describeAgent } from "./user-agent.ts";

test("SESS-8: user agents are described as people know them", () => {
  const agents: Record<string, string> = {
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0": "Firefox on Windows",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/147.0.0.0 Safari/537.36":
      "Chrome on Linux",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15":
      "Safari on macOS",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1":
      "Chrome on iOS",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0":
      "Edge on Windows",
    "curl/8.14.1": "curl",
    node: "node",
  };
  for (const [agent, words] of Object.entries(agents)) assert.equal(describeAgent(agent), words);
});
