import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { noBrowser, visit } from "../support/browser.ts";
import { stageOf } from "../support/stage.ts";
import { emptyClew, sharedBrowser } from "./shared.ts";
import { openSignedOut } from "./steps.ts";

describe("the dashboard's content security policy", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  test("ERR-6: the page requests no other origin, runs no foreign script and parses no text as markup", async (t) => {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const { page, expectedFaults } = await visit(stage, browser);
    expectedFaults.push(/Content Security Policy|Refused to|TrustedHTML|asked for http:\/\/127\.0\.0\.1/);
    await openSignedOut(page, url);
    const other = `http://127.0.0.1:${url.port}`;
    const pathOf = (address: string | null) => new URL(address ?? "", new URL("dashboard/", url)).pathname;
    const script = await page.locator("script").first().getAttribute("src");
    const picture = await page.locator("img").first().getAttribute("src");
    const refused = await page.evaluate<string[]>(`(async () => {
      const refused = [];
      const all = new Promise((resolve) => {
        setTimeout(resolve, 10_000);
        addEventListener("securitypolicyviolation", (event) => {
          if (refused.push(event.effectiveDirective) === 4) resolve();
        });
      });
      const attempts = [
        () => fetch("${other}/healthz"),
        () => import("${other}${pathOf(script)}"),
        () => new Promise((resolve, reject) => {
          const image = new Image();
          image.onerror = reject;
          image.onload = resolve;
          image.src = "${other}${pathOf(picture)}";
        }),
        async () => { document.body.innerHTML = "<b>markup</b>"; },
      ];
      const outcomes = await Promise.allSettled(attempts.map((attempt) => attempt()));
      await all;
      return [...outcomes.map(({ status }) => status), ...refused.sort()];
    })()`);
    assert.deepEqual(refused, [
      ...["rejected", "rejected", "rejected", "rejected"],
      ...["connect-src", "img-src", "require-trusted-types-for", "script-src-elem"],
    ]);
  });

  test("ERR-6: no other page can embed the dashboard in a frame", async (t) => {
    const stage = await stageOf(t);
    const url = await emptyClew();
    const { page, expectedFaults } = await visit(stage, browser);
    expectedFaults.push(/frame-ancestors/);
    const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
    await page.setContent(`<iframe src="${url}dashboard"></iframe>`);
    await refused;
    const [, inner] = page.frames();
    assert.equal(await inner?.getByRole("link").count(), 0);
  });
});
