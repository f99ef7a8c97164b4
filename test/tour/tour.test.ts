import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { repetitions } from "@clew/stand-in/testing/share";
import { formatJson } from "../../scripts/tour/print.ts";
import { freePort } from "../support/clew-process.ts";
import { runCurlLine } from "../support/curl.ts";
import { createToken, signIn } from "../support/session.ts";
import { stageOf } from "../support/stage.ts";
import { runTour } from "../support/tour.ts";

const root = join(import.meta.dirname, "../..");

/** A command of the tour, with the lines that were printed below it. */
interface Printed {
  readonly command: string;
  readonly answer: readonly string[];
}

function readPrinted(stdout: string): Printed[] {
  return stdout
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = "", ...rest] = part.split("\n");
      const end = rest.findIndex((line) => line === "" || line.startsWith("…"));
      return { command, answer: rest.slice(0, end < 0 ? rest.length : end) };
    });
}

test("OPS-1: the tour's commands work in a terminal as shown, and the README contains them", async (t) => {
  const { url } = await (await stageOf(t)).start();
  const { code, stdout, stderr } = await runTour(["--url", url.href]);
  assert.deepEqual([code, stderr], [0, ""]);
  const progress = stdout.split("\n").filter((line) => line.startsWith("Night Sky Field Guide: "));
  assert.ok(progress.includes("Night Sky Field Guide: synced"));
  // In a new checkout all files are new: they are read again soon, which may be another step of the same name.
  const changes = progress.filter((line, index) => line !== progress[index - 1]);
  assert.deepEqual(progress, changes, "each step is printed once");

  const printed = readPrinted(stdout);
  const requests = printed.filter(({ command }) => command.startsWith("curl "));
  assert.equal(requests.length, 9);

  // The tour's own token is revoked by now, as the last line says.
  const refused = requests.pop()?.answer.join("") ?? "";
  assert.match(refused, /"code": "token_revoked"/);
  const variables: Record<string, string> = {};
  for (const { command } of printed) {
    const [, name, value] = /^([A-Z]+)=(\S+)$/.exec(command) ?? [];
    if (name && value) variables[name] = value;
  }
  assert.match(variables.TOKEN ?? "", /^svc_[A-Za-z0-9]{32}$/);
  const own = await createToken(url, await signIn(url), "tour");
  for (const { command, answer } of requests) {
    const { status, body } = await runCurlLine(command, { ...variables, TOKEN: own.token });
    assert.equal(status, 200, command);
    const lines = formatJson(JSON.parse(body), 100).split("\n").slice(0, answer.length);
    assert.ok(answer.length > 3, command);
    assert.deepEqual(lines.map(maskTokenFields), answer.map(maskTokenFields), command);
  }

  const readme = await readFile(join(root, "README.md"), "utf8");
  for (const { command } of printed.filter(({ command }) => !command.startsWith("TOKEN="))) {
    const line = command.replace(url.href, "http://localhost:8420/");
    assert.ok(readme.split("\n").includes(line), `README.md lacks: ${line}`);
  }
});

/** Masks the prefix and the expiry of tokens, which differ between runs. */
const maskTokenFields = (line: string) => line.replace(/^( {2}"(?:prefix|expires_at)"): ".*"/, "$1");

test("TOK-6, LIM-1: the tour can run again and again", async (t) => {
  const rounds = repetitions(4, 12);
  const { url } = await (await stageOf(t)).start({
    RATE_LIMIT_SIGN_IN: String(rounds * 2.5),
    RATE_LIMIT_SESSION: String(rounds * 50),
  });
  for (let round = 1; round <= rounds; round += 1) {
    const { code, stderr } = await runTour(["--url", url.href]);
    assert.deepEqual([code, stderr], [0, ""], `round ${round}`);
  }
});

test("a tour that cannot start or has invalid arguments says so in one line", async () => {
  const nowhere = `http://localhost:${await freePort()}/`;
  for (const [options, expected] of [
    [
      ["--url", nowhere],
      `Nothing answers at ${nowhere}. Start Clew with \`npm start\`, or say where it runs: \`npm run tour -- --url http://localhost:8420\`.`,
    ],
    [["--url", "nonsense"], "--url nonsense is not a URL."],
    [["--speed", "fast"], "Unknown option '--speed'"],
  ] as const) {
    const { code, stderr, stdout } = await runTour(options);
    assert.equal(code, 1);
    assert.ok(stderr.startsWith(expected), stderr);
    assert.equal(stderr.trimEnd().split("\n").length, 1);
    assert.doesNotMatch(stdout, /^ +at /m);
  }
});

test("the tour uses the PORT of the environment", async () => {
  const port = await freePort();
  const { stderr } = await runTour([], { PORT: String(port) });
  assert.match(stderr, new RegExp(`^Nothing answers at http://localhost:${port}/`));
});
