import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { share } from "@clew/stand-in/testing/share";
import { type ClewProcess, freePort, main, type Settings, withoutSettings } from "../support/clew-process.ts";
import { runCommand } from "../support/command-line.ts";
import { createToken, signIn, waitForSync } from "../support/session.ts";
import { type Stage, stageOf } from "../support/stage.ts";
import { type CommandBlock, commandBlocksOf } from "./commands.ts";
import { docsFiles, root, sourceOf } from "./pages.ts";

const marks = {
  runs: /^runs$/,
  runsWhileStopped: /^runs while Clew is stopped$/,
  runsElsewhere: /^runs in (\S+)$/,
  doesNotRun: /^not run: .{10,}/,
};

const blocks = docsFiles.flatMap((file) => commandBlocksOf(file, sourceOf(file)));

/** Says what is wrong with the mark of a block; null if it is fine. */
function faultOf({ file, line, mark }: CommandBlock): string | null {
  const place = `${file}:${line}`;
  if (mark === null || !Object.values(marks).some((form) => form.test(mark)))
    return `${place}: say in a comment before the block where it runs or why not (test/docs/commands.test.ts), or give it another language`;
  const [, tests] = marks.runsElsewhere.exec(mark) ?? [];
  if (tests === undefined) return null;
  const isThere =
    existsSync(join(root, tests)) && readFileSync(join(root, tests), "utf8").includes(basename(file));
  return isThere ? null : `${place}: ${tests} does not run it`;
}

test("each block of commands in the documentation runs in a test, or says why not", () => {
  assert.deepEqual(
    blocks.map(faultOf).filter((fault) => fault !== null),
    [],
  );
  assert.ok(blocks.length > 40, `${blocks.length} blocks`);
});

test("a block without a mark, with an empty reason or with a test that does not name the document is found", () => {
  const faultsOf = (document: string) => commandBlocksOf("README.md", document).map(faultOf);
  const [none, text, empty, elsewhere, fine] = [
    "```\nnpm start\n```",
    "```text\nnpm start\n```",
    "<!-- not run: -->\n```sh\nnpm start\n```",
    "<!-- runs in test/docs/recipes.test.ts -->\n\n```sh\nnpm start\n```",
    "- item\n\n  <!-- not run: starts a server -->\n  ```sh\n  npm start\n  ```\n\n<!-- sh: runs in test/tour/tour.test.ts -->\n\n```sh\na\n```\n",
  ].map(faultsOf);
  assert.match(none?.[0] ?? "", /^README\.md:1: say in a comment/);
  assert.deepEqual(text, []);
  assert.match(empty?.[0] ?? "", /^README\.md:2: say in a comment/);
  assert.match(elsewhere?.[0] ?? "", /does not run it$/);
  assert.deepEqual(fine, [null, null]);
});

const isRun = ({ mark }: CommandBlock) =>
  mark !== null && (marks.runs.test(mark) || marks.runsWhileStopped.test(mark));

test("the blocks of commands that are marked so run against the demo workspace as they are shown", async (t) => {
  const shell = new DocsShell(await stageOf(t));
  const files = docsFiles.filter((file) => blocks.some((block) => block.file === file && isRun(block)));
  assert.ok(blocks.filter(isRun).length >= 10);
  for (const file of share("documents with commands that run", files, Math.ceil(files.length / 3)))
    await shell.runAll(blocks.filter((block) => block.file === file && isRun(block)));
  assert.ok(shell.ran > 0);
});

/** A Clew with a person and a token, and a shell in which documents are right. */
class DocsShell {
  ran = 0;
  readonly #stage: Stage;
  #settings: Settings = {};
  #clew: ClewProcess | null = null;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Runs the blocks of a document in their order, with a new token. Throws if one fails. */
  async runAll(own: readonly CommandBlock[]): Promise<void> {
    const { url } = await this.#start();
    const session = await signIn(url);
    await waitForSync(url, session);
    const { token } = await createToken(url, session, "documentation");
    const { id } = await createToken(url, session, "leaked");
    const variables = {
      CLEW_URL: url.href.replace(/\/$/, ""),
      CLEW_TOKEN: token,
      TOKEN_ID: String(id),
      USER_ID: await this.#userId(),
      BACKUP: join(this.#stage.folder, "backup.db"),
    };
    for (const block of own) {
      if (marks.runs.test(block.mark ?? "")) await this.#start();
      else await this.#stop();
      // Backups can be read with the key of their time.
      if (block.code.includes("$BACKUP") && !existsSync(variables.BACKUP))
        assert.equal((await runCommand(this.#settings, "backup", variables.BACKUP)).code, 0);
      const output = await this.#run(block, variables);
      assert.ok(
        output.trim() !== "" || block.code.includes(">"),
        `${block.file}:${block.line} prints nothing`,
      );
      this.ran += 1;
    }
  }

  async #start(): Promise<ClewProcess> {
    if (this.#clew !== null) return this.#clew;
    const { folder } = this.#stage;
    if (this.#settings.PORT === undefined) {
      await mkdir(join(folder, "backups"));
      await mkdir(join(folder, "bin"));
      await symlink(join(root, "bin/clew"), join(folder, "bin/clew"));
      this.#settings = { DATA_DIR: join(folder, "data"), PORT: String(await freePort()) };
    }
    this.#clew = await this.#stage.start(this.#settings);
    return this.#clew;
  }

  async #stop(): Promise<void> {
    await this.#clew?.terminate();
    this.#clew = null;
  }

  async #userId(): Promise<string> {
    const { output } = await runCommand(this.#settings, "users", "list", "--json");
    const [user]: { id: number }[] = JSON.parse(output);
    return String(user?.id);
  }

  /** Runs a block as it is, but for the address of Clew, the folder of backups, and npm, which takes longer to start. */
  async #run({ code, file, line }: CommandBlock, variables: Settings): Promise<string> {
    const { folder } = this.#stage;
    const here = code
      .replaceAll("http://localhost:8420", variables.CLEW_URL ?? "")
      .replaceAll(/(?<=\s)\/backups\//g, `${folder}/backups/`);
    const npm = `npm() { test "$1 $2 $3 $4" = "run -s clew --"; shift 4; "${process.execPath}" "${main}" "$@"; }`;
    const env = { ...withoutSettings, HOME: folder, ...this.#settings, ...variables };
    try {
      return (await promisify(execFile)("sh", ["-ec", `${npm}\n${here}`], { cwd: folder, env })).stdout;
    } catch (error) {
      throw new Error(`${file}:${line} failed`, { cause: error });
    }
  }
}
