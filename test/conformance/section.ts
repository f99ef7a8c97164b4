import assert from "node:assert/strict";
import type { RawAnswer, RawRequest } from "../support/raw-request.ts";
import { listAnswer, listRequest } from "./listing.ts";
import type { Stage } from "./stage.ts";

/** One statement of the specification, and how it is shown to hold. */
export interface Section {
  readonly title: string;
  /** Where the specification says it: `§4`, `§2.3`. */
  readonly source: string;
  /** What it demands, in one or two sentences. */
  readonly demand: string;
  readonly show: (page: Page, stage: Stage) => Promise<void>;
}

export interface Chapter {
  readonly title: string;
  readonly sections: readonly Section[];
}

interface Showing {
  /** Headers of the answer to show beside those that always are. */
  readonly headers?: readonly string[];
  /** Learns what to hide before the answer is shown. */
  readonly learn?: (answer: RawAnswer) => void;
}

/** What a section writes on while it runs. */
export interface Page {
  /** Sends a request and shows it with its answer. */
  exchange(request: RawRequest, showing?: Showing): Promise<RawAnswer>;
  say(text: string): void;
  /** A claim that is written down only when its check passes. */
  claim(text: string, check: () => void | Promise<void>): Promise<void>;
}

/** What became of a section: Markdown, and how many claims hold. */
export interface Shown {
  readonly markdown: string;
  readonly claims: number;
}

/** Runs a section against the stage. Throws where a claim fails. */
export async function showSection({ title, source, demand, show }: Section, stage: Stage): Promise<Shown> {
  const parts: string[] = [];
  const claims: string[] = [];
  const listing = (text: string) => void parts.push(`\`\`\`http\n${text}\n\`\`\``);
  await show(
    {
      async exchange(request, { headers, learn = () => {} } = {}) {
        const answer = await stage.send(request);
        if (answer.text !== "")
          assert.match(String(answer.headers["content-type"]), /json/, `${title}: bodies are JSON`);
        stage.masks.hide(String(answer.headers["x-request-id"]), "<REQUEST_ID>");
        learn(answer);
        listing(listRequest(request, stage.masks.mask));
        listing(listAnswer(answer, stage.masks.mask, headers));
        return answer;
      },
      say: (text) => void parts.push(text),
      async claim(text, check) {
        await check();
        claims.push(`- ✓ ${text}`);
      },
    },
    stage,
  );
  assert.ok(claims.length > 0, `${title} claims nothing`);
  const heading = `### ${title}\n\n**Demanded** (${source}): ${demand}`;
  return { markdown: [heading, ...parts, claims.join("\n")].join("\n\n"), claims: claims.length };
}
