import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildClientPackage } from "../../packaging/client/build.ts";
import { buildNpmPackage } from "../../packaging/npm/build.ts";
import { createToken, signIn } from "../support/session.ts";
import { tourThrough } from "../support/tour.ts";
import { attempt } from "./attempts.ts";
import { type BareMachine, bareMachine } from "./bare-machine.ts";

/**
 * Builds the npm packages and installs them with the versions of npm that people have, from an empty cache into an empty folder,
 * on a PATH without a compiler and Python: `npm run campaign packages`. NPM names other versions, separated by commas. Needs
 * the registry. The exit code is 1 if anything failed.
 */
const versions = (process.env.NPM ?? "10.8.2,10.9.4,11.6.2,11.19.1").split(",");

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;

/** Builds a package twice. Throws if the two differ. */
function buildTwice(build: (folder: string) => string): { readonly archive: string; readonly size: string } {
  const [archive, again] = [build(join(folder, "first")), build(join(folder, "second"))];
  const [digest, other] = [archive, again].map((file) =>
    createHash("sha256").update(readFileSync(file)).digest("hex"),
  );
  if (digest !== other) throw new Error("the second build has other bytes");
  return { archive, size: megabytes(statSync(archive).size) };
}

/** The size of the files below a folder. */
function sizeOf(path: string): string {
  const files = globSync("**", { cwd: path, withFileTypes: true }).filter((each) => each.isFile());
  return megabytes(
    files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0),
  );
}

async function npm(machine: BareMachine, ...args: readonly string[]): Promise<void> {
  const { code, output } = await machine.npm(...args);
  if (code !== 0) throw new Error(`npm ${args.join(" ")} ended with ${code}:\n${output}`);
}

/** Serves the tour, and what `use` asks for, and stops. Throws unless Clew ends in order. */
async function serve(
  machine: BareMachine,
  program: string,
  use?: (url: URL) => Promise<void>,
): Promise<string> {
  const { code, output } = await machine.serve([program, "serve"], async (url) => {
    await tourThrough(url);
    await use?.(url);
  });
  if (code !== 0) throw new Error(`Clew ended with ${code}:\n${output}`);
  const data = join(machine.home, ".local/state/clew");
  if (!output.includes(`data is kept in ${data}"`))
    throw new Error(`the data folder is not named:\n${output}`);
  return "the tour";
}

/** Reads pages through the client, in a program whose language `types` says. */
const program = (types: boolean) => `
import process from "node:process";
import { createClient${types ? ", type Client" : ""} } from "@clew/client";
const [, , url, token] = process.argv;
const clew${types ? ": Client" : ""} = createClient({ url${types ? ': url ?? ""' : ""}, token });
const { items } = await clew.searchPages({ q: "jupiter" });
console.log(items[0]${types ? "?" : ""}.node.title);
`;

const tsc = fileURLToPath(import.meta.resolve("typescript/package.json")).replace("package.json", "bin/tsc");

/** Runs programs in TypeScript and JavaScript that use the installed client. The first is checked too. */
async function useClient(work: string, url: URL): Promise<void> {
  const { token } = await createToken(url, await signIn(url), "client");
  const options = { cwd: work, encoding: "utf8" } as const;
  const checked = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "program.mts"];
  writeFileSync(join(work, "program.mts"), program(true));
  writeFileSync(join(work, "program.mjs"), program(false));
  execFileSync(process.execPath, [tsc, ...checked, "--types", "node", "--typeRoots", typeRoots], options);
  for (const file of ["program.mts", "program.mjs"]) {
    const title = execFileSync(process.execPath, [file, url.href, token], options).trim();
    if (title !== "Jupiter") throw new Error(`${file} found ${title}`);
  }
}

const typeRoots = join(import.meta.dirname, "../../node_modules/@types");

const folder = mkdtempSync(join(tmpdir(), "clew-packages-"));
try {
  const clew = buildTwice(buildNpmPackage);
  const client = buildTwice(buildClientPackage);
  console.log(`built twice, the same bytes: clew ${clew.size}, client ${client.size}`);
  for (const version of versions) {
    const machine = await bareMachine({ npm: version, cache: "empty", holds: "nothing" });
    try {
      const { work } = machine;
      await attempt(`npm ${version}, install into a folder without scripts`, async () => {
        await npm(machine, "install", "--ignore-scripts", "--no-audit", clew.archive, client.archive);
        return `${sizeOf(join(work, "node_modules"))}`;
      });
      await attempt(`npm ${version}, serve from the folder, with the client`, () =>
        serve(machine, "node_modules/.bin/clew", (url) => useClient(work, url)),
      );
      await attempt(`npm ${version}, install for all, with scripts`, async () => {
        await npm(machine, "install", "--global", "--prefix", join(machine.home, "all"), clew.archive);
        return "done";
      });
      await attempt(`npm ${version}, serve from there`, () =>
        serve(machine, join(machine.home, "all/bin/clew")),
      );
    } finally {
      await machine.remove();
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
