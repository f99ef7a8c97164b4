import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { dialectIds } from "../../../packages/folder/src/dialects/dialect.ts";
import { nodeId } from "../../../packages/server/src/store/testing/scratch.ts";
import { writeFiles } from "../../support/markdown-folder.ts";
import type { Grammar, Trial } from "../grammar.ts";
import { Ground } from "../ground.ts";
import { hostileText, mutated, nested } from "../hostile.ts";

/** The text of a page, read by the rules of a tool. */
interface MarkdownInput {
  readonly dialect: (typeof dialectIds)[number];
  readonly ending: "md" | "mdx";
  readonly text: string;
}

const label = fc.oneof(fc.constantFrom("a", "the *second*", "`code`", "![](x.png)", "Page 2"), hostileText);
const target = fc.oneof(
  fc.constantFrom(
    "page-2.md",
    "<page 2.md>",
    "../page-2.md#part",
    "secret.md#secret",
    "https://example.org/(a)",
    "#a",
    "alpha/",
  ),
  fc.constantFrom(
    "javascript:alert(1)",
    "mailto:a@b.example",
    "//host/a",
    "%70age-2.md",
    "page-2.md?x=1",
    "C:\\a.md",
    "",
  ),
  hostileText,
);

const link = fc
  .tuple(label, target, fc.constantFrom("a", "!", "[[", "[[|", "<", "[]", "^", "html", "{{<", "((", "$"))
  .map(([text, to, form]) => {
    switch (form) {
      case "[[":
        return `[[${to}]]`;
      case "[[|":
        return `![[${to}#${text}|${text}]]`;
      case "<":
        return `<${to}>`;
      case "[]":
        return `[${text}][${to}]\n\n[${to}]: ${to} "${text}"\n`;
      case "^":
        return `[^${text}]\n\n[^${text}]: ${to}\n`;
      case "html":
        return `<a href="${to}" title='${text}'>${text}</a>`;
      case "{{<":
        return `[${text}]({{< ref "${to}" >}})`;
      case "((":
        return `[${text}](((${"0".repeat(8)}-0000-4000-8000-${"0".repeat(12)}))) {{embed [[${to}]]}}`;
      case "$":
        return `$$${text}$$ $\`${to}\`$`;
      case "!":
        return `![${text}](${to} "${text}")`;
      default:
        return `[${text}](${to})`;
    }
  });

const line = fc
  .array(
    fc.oneof(link, label, fc.constantFrom("**", "~~", "==", "_", "`", " ", "#tag", "^block-1", "<br>")),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((parts) => parts.join(""));

const opening = fc.constantFrom(
  ...[
    "# ",
    "## ",
    "- ",
    "1. ",
    "- [ ] ",
    "> ",
    "> [!tip] ",
    "\t",
    "    ",
    ":::note ",
    "| a | ",
    "key:: ",
    "import x from ",
    "<details>",
  ],
);
const block = fc
  .tuple(
    opening,
    fc.constantFrom(0, 0, 0, 1, 3, 20, 90, 400),
    line,
    fc.constantFrom("\n", "\n\n", "\r\n", ""),
  )
  .map(([mark, depth, text, end]) => `${mark.repeat(depth)}${mark}${text}${end}`);

const closed = fc.constantFrom<readonly [string, string]>(
  ...([
    ["```js\n", "\n```\n"],
    ["<div>\n\n", "\n\n</div>\n"],
    ["[", "](b)"],
    ["**", "**"],
    ["<!--", "-->"],
  ] as const),
  ...([
    ["{/*", "*/}"],
    ["$$\n", "\n$$\n"],
    ["<pre>", "</pre>"],
    ["((", "))"],
    ["| a | b |\n|--|--|\n", "\n"],
  ] as const),
);
const around = fc
  .tuple(closed, line, fc.constantFrom(1, 1, 2, 30, 300), fc.boolean())
  .map(([[open, close], text, depth, isWhole]) => nested(open, text, isWhole ? close : "", depth));

const text = mutated(
  fc.array(fc.oneof(block, around), { minLength: 1, maxLength: 8 }).map((parts) => parts.join("")),
);

const inputs: fc.Arbitrary<MarkdownInput> = fc.record({
  dialect: fc.constantFrom(...dialectIds),
  ending: fc.constantFrom("md", "md", "mdx"),
  text,
});

const id = nodeId(5);

/** The ways to read a page with its links. */
const reads = [
  `nodes/${id}/content/`,
  `nodes/${id}/content/?include=outline`,
  `nodes/${id}/`,
  `nodes/${id}/neighbors/?excerpts=true&limit=100`,
  `context/?q=secret&id=${id}&max_chars=100000`,
  "text/?q=second&limit=50",
  "broken/?limit=100",
  "search/?limit=100",
];

async function open(): Promise<Trial<MarkdownInput>> {
  const ground = await Ground.open({ pages: 5 });
  let count = 0;
  return {
    inputs,
    async try({ dialect, ending, text: body }) {
      count += 1;
      const title = `Fuzzed ${count}`;
      const other = ending === "md" ? "mdx" : "md";
      await rm(join(ground.directory, `fuzzed.${other}`), { force: true });
      await writeFiles(ground.directory, {
        "_workspace.yml": `name: Fuzzed\ndialect: ${dialect}\n`,
        [`fuzzed.${ending}`]: `---\nid: ${id}\ntitle: ${title}\n---\n${body.toWellFormed()}`,
      });
      await ground.sync();
      const { body: node } = await ground.try({ method: "GET", path: `/api/v1/nodes/${id}/`, as: "token" });
      assert.equal(node.node?.title ?? node.title, title, "the sync did not read the page");
      for (const path of reads) {
        const { status, text: answer } = await ground.try({
          method: "GET",
          path: `/api/v1/${path}`,
          as: "token",
        });
        assert.equal(status, 200, `${path} → ${status} ${answer.slice(0, 200)}`);
      }
    },
    // Each input is stored, in place of the one before.
    settle: async () => {},
    close: () => ground.close(),
  };
}

/** Texts of pages: Markdown and the syntax of each tool, nested, cut off and mixed (SRC-2, SYNC-5). */
export const markdown: Grammar = { name: "markdown", perThousand: 50, open };
