import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { share } from "@clew/stand-in/testing/share";
import type { Browser, Page } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { startRunning } from "../support/running-clew.ts";
import { openStage, type Stage, stageOf } from "../support/stage.ts";
import { examine } from "./examine.ts";
import { sharedBrowser } from "./shared.ts";
import { openSignedIn, seeSynced } from "./steps.ts";

/** Texts of pages as a hostile or broken provider would send them, by the title of the page. */
const attacks: Readonly<Record<string, string>> = {
  Scripts: [
    "<script>window.isHacked = 1</script>",
    '<img src="x" onerror="window.isHacked = 1">',
    '<img src="http://evil.example/pixel.png"/>',
    '<svg onload="window.isHacked = 1"><animate onbegin="window.isHacked = 1"/></svg>',
    "<style>body { display: none } @import url(http://evil.example/x.css);</style>",
    '<iframe src="javascript:parent.isHacked = 1"></iframe>',
    '<object data="javascript:window.isHacked = 1"></object>',
    '<form action="http://evil.example/"><button autofocus onfocus="window.isHacked = 1">x</button></form>',
    '<math><mtext></math><a href="javascript:window.isHacked = 1">m</a>',
    '<link rel="prefetch" href="http://evil.example/"/><meta http-equiv="refresh" content="0;url=http://evil.example/">',
    '<details ontoggle="window.isHacked = 1" open>',
    "<summary>**Toggle** <script>window.isHacked = 1</script></summary>",
    "\tinside",
    "</details>",
    '<callout icon="http://evil.example/icon.png" onclick="window.isHacked = 1">',
    "\t![pixel](http://evil.example/pixel.png)",
    "</callout>",
    "The end of scripts.",
  ].join("\n"),
  Links: [
    "[one](javascript:window.isHacked=1)",
    "[two](  JaVaScRiPt:window.isHacked=1)",
    "[three](java\tscript:window.isHacked=1)",
    "[four](data:text/html,<script>window.isHacked=1</script>)",
    "[five](vbscript:window.isHacked=1)",
    "[six](//evil.example/six)",
    "[seven](blob:http://localhost/seven)",
    "<javascript:window.isHacked=1>",
    '<mention-page url="javascript:window.isHacked=1">eight</mention-page>',
    '<page url="javascript:window.isHacked=1">nine</page>',
    "[^javascript:window.isHacked=1]",
    "[ten](https://evil.example/ten)",
    '[eleven "](https://evil.example/ten" onclick="window.isHacked=1)',
    "The end of links.",
  ].join("\n"),
  Directions: `Open \u202Egnp.exe\u202C now \u2066\u2067 and [\u202Emoc.live](https://evil.example/)\nThe end of directions.`,
  Table: `<table header-row="true">\n${Array.from(
    { length: 60 },
    (_, row) =>
      `<tr>\n${Array.from({ length: 40 }, (_, cell) => `<td>${row} ${cell}</td>`).join("\n")}\n</tr>`,
  ).join("\n")}\n</table>\nThe end of the table.`,
  Nesting: `${Array.from({ length: 300 }, (_, depth) => `${"\t".repeat(depth)}- ${"**[".repeat(20)}deep`).join("\n")}\nThe end of nesting.`,
  Headings: "###### Six\n# One\n#### Four\n# \nThe end of headings.",
};

/** Titles cannot be trusted either. */
const titles: Readonly<Record<string, string>> = {
  Markup: '<img src=x onerror="window.isHacked=1"> & <script>window.isHacked=1</script>',
  Reversed: "\u202Egnp.exe\u202D \u2067 title",
  Endless: `${"W".repeat(1_500)}`,
};

const looks = [
  ["light", { width: 1440, height: 900 }],
  ["dark", { width: 360, height: 740 }],
] as const;

const megabyte = `# Start\n${"All work and no play makes Jack a dull boy. ".repeat(40)}\n`.repeat(570);

describe("pages that attack their readers", { skip: noBrowser }, () => {
  let browser: Browser;
  let url: URL;
  const hostile = openStage();
  before(async () => {
    browser = await sharedBrowser();
    url = await startHostileClew(await hostile);
  });
  after(async () => (await hostile).close());

  for (const [colorScheme, viewport] of share("ERR-6: looks of hostile pages", looks, 1)) {
    const look = `${colorScheme}, ${viewport.width} pixels wide`;
    test(`ERR-6: nothing in a page runs or leaves, and every page stays usable (${look})`, async (t) => {
      const stage = await stageOf(t);
      const { page, context } = await visit(stage, browser, { colorScheme, viewport });
      await openSignedIn(page, url);
      await seeSynced(page);
      const strayed: string[] = [];
      context.on("request", (request) => {
        if (new URL(request.url()).host !== url.host) strayed.push(request.url());
      });
      for (const [title, markdown] of Object.entries(attacks)) {
        await openPage(page, url, title);
        const end = markdown.split("\n").at(-1) ?? "";
        await readTo(page, end);
        await assertHarmless(page, title);
        await examine(page, title);
      }
      for (const title of Object.values(titles)) {
        await page.goto(new URL(`dashboard/graph?q=${encodeURIComponent("Harmless text")}`, url).href);
        await page.getByText(title, { exact: true }).first().click();
        await page.getByRole("article").getByText("Harmless text").waitFor();
        assert.equal(await page.locator("h1").innerText(), title);
        await assertHarmless(page, title);
        await examine(page, title.slice(0, 30));
        await page.getByRole("link", { name: "Local graph", exact: true }).click();
        await page.getByRole("heading", { name: "The same as a table" }).waitFor();
        await assertHarmless(page, title);
        await examine(page, `local graph of ${title.slice(0, 30)}`);
      }
      // The titles are now among those opened lately, and the texts among the passages.
      await page.keyboard.press("Control+k");
      await page.getByRole("option").nth(2).waitFor();
      await assertHarmless(page, "palette");
      await examine(page, "palette");
      const question = encodeURIComponent("the end of headings, nesting, harmless text, table");
      await page.goto(new URL(`dashboard/graph/ask?question=${question}&tokens=16000`, url).href);
      await page.getByRole("region", { name: "What the agent gets" }).waitFor();
      await assertHarmless(page, "passages");
      await examine(page, "passages");
      assert.deepEqual(strayed, []);
    });
  }

  test("GRAPH-5: a page of a megabyte is shown in parts, and its outline leads to any of them", async (t) => {
    const stage = await stageOf(t);
    const { page } = await visit(stage, browser);
    await openSignedIn(page, url);
    await seeSynced(page);
    const startedAt = performance.now();
    await openPage(page, url, "Megabyte");
    await page.getByRole("article").getByText("All work").first().waitFor();
    t.diagnostic(
      `first part of ${megabyte.length} characters after ${Math.round(performance.now() - startedAt)} ms`,
    );
    const headings = page.getByRole("article").getByRole("heading", { name: "Start" });
    const before = await headings.count();
    await page.getByRole("button", { name: /^Show more of the text/ }).click();
    await headings.nth(before).waitFor();
    await page.getByText("Outline", { exact: true }).click();
    await page.getByRole("link", { name: "Start" }).nth(150).click();
    await page.getByRole("link", { name: "Show the text from its start" }).waitFor();
    await page.getByRole("article").getByText("All work").first().waitFor();
    assert.match(page.url(), /at=\d{5,}/);
  });
});

/** Starts a Clew whose provider sends the attacks as the texts of its pages. */
async function startHostileClew(stage: Stage): Promise<URL> {
  const folder = join(stage.folder, "pages");
  const named = { ...attacks, Megabyte: megabyte };
  await writeFiles(folder, {
    "_workspace.yml": "name: Lion's den\n",
    ...Object.fromEntries(
      Object.keys(named).map((title) => [`${title}.md`, markdownPage(title, `ATTACK ${title}.`)]),
    ),
    ...Object.fromEntries(
      Object.entries(titles).map(([name, title]) => [
        `${name}.md`,
        markdownPage(JSON.stringify(title), "Harmless text, [elsewhere](Links.md)."),
      ]),
    ),
  });
  const notion = await startNotion(stage, folder);
  const proxy = await startRewriting(stage, notion.url, named);
  const clew = await startRunning({ env: settingsFor(notion, proxy) });
  stage.defer(() => clew.stop());
  return clew.url;
}

/** Starts a proxy that puts other texts in place of `ATTACK …`. Returns its address. */
async function startRewriting(
  stage: Stage,
  target: string,
  texts: Readonly<Record<string, string>>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { authorization, "content-type": type, "notion-version": version } = request.headers;
    const answer = await fetch(new URL(request.url ?? "/", target), {
      method: request.method ?? "GET",
      redirect: "manual",
      headers: Object.entries({ authorization, "content-type": type, "notion-version": version }).flatMap(
        ([name, value]): [string, string][] => (typeof value === "string" ? [[name, value]] : []),
      ),
      body: body === "" ? null : body,
    });
    const location = answer.headers.get("location");
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type") ?? "text/plain",
      ...(location === null ? {} : { location }),
    });
    const answered = await answer.text();
    const attack = /^\{"object":"page_markdown".*"ATTACK (\w+)\.\s*"/s.exec(answered)?.[1];
    const rewritten = texts[attack ?? ""];
    response.end(
      rewritten === undefined ? answered : JSON.stringify({ ...JSON.parse(answered), markdown: rewritten }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stage.defer(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return `http://127.0.0.1:${address.port}`;
}

/** Shows the parts of a text up to the one that has its end. */
async function readTo(page: Page, end: string): Promise<void> {
  const shown = page.getByRole("article").getByText(end);
  const more = page.getByRole("button", { name: /^Show more of the text/ });
  for (;;) {
    await shown.or(more).first().waitFor();
    if ((await shown.count()) > 0) return;
    // Its name says how much is left. While the next part loads, it has another.
    const name = await more.innerText();
    await more.click();
    await page.getByRole("button", { name, exact: true }).waitFor({ state: "detached" });
  }
}

async function openPage(page: Page, clew: URL, title: string): Promise<void> {
  await page.goto(new URL(`dashboard/graph?q=${title}`, clew).href);
  await page.locator("[data-results]").getByRole("link", { name: title, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
}

/** Asserts that no attack ran, and that the page has no element, handler or address that could run one. */
async function assertHarmless(page: Page, state: string): Promise<void> {
  const found = await page.evaluate<string[]>(`(() => {
    const found = "isHacked" in window ? ["a script ran"] : [];
    const main = document.getElementById("content");
    for (const element of main.querySelectorAll("*")) {
      if (["SCRIPT", "STYLE", "IFRAME", "OBJECT", "EMBED", "IMG", "LINK", "META", "BASE", "VIDEO", "AUDIO"].includes(element.tagName))
        found.push(element.outerHTML);
      for (const { name, value } of element.attributes)
        if (name.startsWith("on") || /^\\s*(javascript|data|vbscript|blob):/i.test(value)) found.push(name + "=" + value);
    }
    for (const { protocol, target, rel, host } of main.querySelectorAll("a[href]"))
      if (!["http:", "https:", "mailto:"].includes(protocol) || (host !== location.host && (target !== "_blank" || !rel.includes("noopener"))))
        found.push("a link to " + protocol + host);
    return found;
  })()`);
  assert.deepEqual(found, [], state);
}
