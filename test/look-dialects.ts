import { spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { launchBrowser } from "./support/browser.ts";
const port = 8977;
const clew = spawn(process.execPath, ["packages/server/src/main.ts", "serve"], { env: { ...process.env, FOLDERS: "notes=/tmp/dialects/look", PORT: String(port), DATA_DIR: "/tmp/dialects/look-data", LOG_LEVEL: "error", NO_COLOR: "1" }, stdio: ["ignore", "inherit", "inherit"] });
try {
  const url = `http://localhost:${port}/`;
  for (let i = 0; i < 60; i += 1) { await setTimeout(500); if (await fetch(url + "health/live").then(() => true, () => false)) break; }
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.on("console", (m) => console.log("CONSOLE", m.text())); page.on("pageerror", (e) => console.log("PAGEERROR", e.stack)); page.on("response", async (r) => { if (r.url().includes("/syncs/")) console.log("SYNCS", (await r.text()).slice(0, 600)); });
  await page.goto(url + "dashboard");
  await setTimeout(1500);
  await page.screenshot({ path: "/tmp/dialects/l0.png" });
  const link = page.getByRole("link", { name: /notes/i }).first();
  await link.click();
  await setTimeout(2500);
  await page.screenshot({ path: "/tmp/dialects/l1.png" });
  const button = page.getByRole("button").first();
  if (await button.count()) console.log(await button.textContent());
  if (page.url().includes("folders")) { await button.click(); await setTimeout(2000); }
  await setTimeout(9000);
  await page.goto(url + "dashboard/workspaces");
  await setTimeout(2500);
  await page.getByText("Sync report").first().click();
  await setTimeout(800);
  await page.getByText(/left out or read only/).first().click().catch(() => {});
  await page.screenshot({ path: "/tmp/dialects/l2.png" });
  await page.setViewportSize({ width: 360, height: 800 });
  await setTimeout(500);
  await page.screenshot({ path: "/tmp/dialects/l3.png", fullPage: true });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: "/tmp/dialects/l4.png" });
  await page.goto(url + "dashboard/graph?q=Tasks");
  await setTimeout(2000);
  await page.screenshot({ path: "/tmp/dialects/l5.png" });
  await browser.close();
} finally { clew.kill("SIGTERM"); }
