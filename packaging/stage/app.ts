import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { commitOf } from "../../packages/server/src/build.ts";
import { asJavaScript, compile } from "./compile.ts";

const root = join(import.meta.dirname, "../..");

/** The module that Node starts, below the folder of a stage. */
export const entry = "node_modules/@clew/server/src/main.js";

/** The fields of a package.json that the stage reads or writes. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly type?: string;
  readonly exports?: Readonly<Record<string, string>>;
  /** Files that modules of the package read at run time. */
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Writes Clew's own packages to `folder`/node_modules/@clew as JavaScript that Node runs: the modules that main.ts reaches, and
 * the files that their packages name in `files`, and the commit that they are of. Tests and unused exports are not reached. The same sources give the same
 * bytes. Third-party packages are added by `stageDependencies`.
 */
export function stageApp(folder: string): void {
  const modules = reachedFrom(join(root, "packages/server/src/main.ts"));
  for (const [file, content] of modules) write(join(folder, stagedPath(file)), content);
  const packages = new Set([...modules.keys()].map(packageOf));
  for (const name of [...packages].sort()) stagePackage(folder, name, packages, modules);
  write(join(folder, "node_modules/@clew/server/build.json"), json({ commit: commitOf(root) }));
  const { version } = readManifest(root);
  write(join(folder, "package.json"), json({ name: "clew", version, private: true, type: "module" }));
}

/** Every module that `file` loads, directly or not, by its path below the root. JSON is kept as it is. */
function reachedFrom(file: string): ReadonlyMap<string, string> {
  const modules = new Map<string, string>();
  const waiting = [file];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const name = relative(root, path);
    if (modules.has(name)) continue;
    const source = readFileSync(path, "utf8");
    if (!name.endsWith(".ts")) {
      modules.set(name, source);
      continue;
    }
    const { code, loaded } = compile(name, source);
    modules.set(name, code);
    for (const specifier of loaded) {
      const found = resolveOwn(specifier, path);
      if (found !== null) waiting.push(found);
    }
  }
  return modules;
}

/** The file of Clew that a module loads by `specifier`; null if the specifier is of Node or of a third party. */
function resolveOwn(specifier: string, importer: string): string | null {
  if (specifier.startsWith(".")) return join(dirname(importer), specifier);
  const [, name, path = ""] = /^@clew\/([^/]+)(\/.+)?$/.exec(specifier) ?? [];
  if (name === undefined) return null;
  const target = readManifest(join(root, "packages", name)).exports?.[`.${path}`];
  if (target === undefined) throw new Error(`packages/${name} does not export ${specifier}`);
  return join(root, "packages", name, target);
}

/** Writes the package.json of one of Clew's packages, without what the stage does not have, and its files. */
function stagePackage(
  folder: string,
  name: string,
  packages: ReadonlySet<string>,
  modules: ReadonlyMap<string, string>,
): void {
  const source = join(root, "packages", name);
  const { name: fullName, version, type, exports = {}, files = [], dependencies = {} } = readManifest(source);
  const reached = Object.entries(exports)
    .filter(([, target]) => modules.has(join("packages", name, target)))
    .map(([path, target]) => [path, asJavaScript(target)] as const);
  const needed = Object.entries(dependencies).filter(
    ([each]) => !each.startsWith("@clew/") || packages.has(each.slice("@clew/".length)),
  );
  const target = join(folder, "node_modules", fullName);
  for (const file of files) cpSync(join(source, file), join(target, file), { recursive: true });
  const manifest = { name: fullName, version, private: true, type };
  write(
    join(target, "package.json"),
    json({
      ...manifest,
      ...(reached.length > 0 && { exports: Object.fromEntries(reached) }),
      dependencies: Object.fromEntries(needed),
    }),
  );
}

/** The name of the package, without its scope, that a file below the root is in. */
const packageOf = (file: string) => file.split("/")[1] ?? "";

const stagedPath = (file: string) => asJavaScript(file.replace(/^packages\//, "node_modules/@clew/"));

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
