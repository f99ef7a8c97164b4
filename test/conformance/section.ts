import assert from "node:assert/strict";
import type { RawAnswer, RawRequest } from "../support/raw-request.ts";
import { listAnswer, listRequest } from "./listing.ts";
import type { Stage } from "./stage.ts";

/** One statement of the specification, with the requests that demonstrate it. */
export interface Section {
  readonly title: string;
  /** Its section in the specification: `§4`, `§2.3`. */
  readonly source: string;
  /** The requirement, in one or two sentences. */
  readonly demand: string;
  readonly show: (page: Page, stage: Stage) => Promise<void>;
}

export interface Chapter {
  readonly title: string;
  readonly sections: readonly Section[];
}

interface Showing {
  /** Further response headers to show. */
  readonly headers?: readonly string[];
  /** Runs before the response is shown, to register values to hide. */
  readonly learn?: (answer: RawAnswer) => void;
}

/** The page of a section while it runs. */
export interface Page {
  /** Sends a request and shows it with its response. */
  exchange(request: RawRequest, showing?: Showing): Promise<RawAnswer>;
  say(text: string): void;
  /** Checks a claim. Writes it only if the check passes. */
  claim(text: string, check: () => void | Promise<void>): Promise<void>;
}

/** The result of a section: its Markdown, and the number of verified claims. */
export interface Shown {
  readonly markdown: string;
  readonly claims: number;
}

/** Runs a section against the stage. Throws if a claim fails. */
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
