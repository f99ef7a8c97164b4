import { copyFileSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, matchesGlob } from "node:path";

const root = join(import.meta.dirname, "../..");

/** The platforms that Clew is packaged for, with their Node. */
export const platforms = ["linux-x64", "linux-arm64"] as const;
export type Platform = (typeof platforms)[number];

/** Their names at Debian and in images. */
export const architectures = { "linux-x64": "amd64", "linux-arm64": "arm64" } as const satisfies Record<
  Platform,
  string
>;
export type Architecture = (typeof architectures)[Platform];

/** The platform of this process; null if Clew is not packaged for it. */
export const ownPlatform = platforms.find((each) => each === `${process.platform}-${process.arch}`) ?? null;

/** An entry of package-lock.json. */
export interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  /** The folder of one of Clew's own packages, which `link` leads to. */
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Files that no package needs at run time: declarations, source maps, sources in TypeScript, scripts, builds with assertions, tests and documents. */
const unneeded = [
  "**/*.{ts,cts,mts,tsx,flow,map,tsbuildinfo,markdown,sh}",
  "**/!(LICEN[CS]E*|NOTICE*|COPYING*).md",
  "{dev,test,tests,__tests__,docs,example,examples,bench,benchmark,benchmarks,coverage}/**",
  "**/*.test.{js,cjs,mjs}",
  "**/.*",
  "**/.*/**",
];

/** Files of single packages that Clew does not load. */
const unneededOf = (platform: Platform | null): Readonly<Record<string, readonly string[]>> => ({
  // It counts tokens by o200k_base, which it requires. Each of the other encodings takes megabytes.
  "gpt-tokenizer": [
    "{data,esm,src}/**",
    "cjs/{fixtures,model}/**",
    "cjs/{bpeRanks,encoding}/!(o200k_base).js",
  ],
  // It loads the binary of its platform. The rest is for those who compile it.
  "better-sqlite3": [
    "{deps,src}/**",
    "binding.gyp",
    ...(platform === null ? [] : [`prebuilds/!(${platform}).node`]),
  ],
  // better-sqlite3 is compiled with its headers.
  "node-addon-api": ["*.{h,gyp,gypi}"],
});

/**
 * Copies the third-party packages that Clew's packages need at run time to `folder`/node_modules, at the versions of the
 * lockfile. Needs an installed checkout, from which it copies. With a platform it leaves out the binaries of other platforms.
 */
export function stageDependencies(folder: string, platform: Platform | null): void {
  const omitted = unneededOf(platform);
  for (const [path, { version }] of productionPackages()) {
    const source = join(root, path);
    const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as { version: string };
    if (manifest.version !== version)
      throw new Error(
        `${path} is ${manifest.version}, not ${version} as package-lock.json says: run npm run setup`,
      );
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const patterns = [...unneeded, ...(omitted[name] ?? [])];
    const target = join(folder, path.replace(/^packages\//, "node_modules/@clew/"));
    for (const file of filesOf(source)) {
      if (patterns.some((pattern) => matchesGlob(file, pattern))) continue;
      mkdirSync(dirname(join(target, file)), { recursive: true });
      copyFileSync(join(source, file), join(target, file));
    }
  }
}

/** The entries of package-lock.json, by their paths below the root. */
export function lockedPackages(): Readonly<Record<string, LockedPackage>> {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return (lock as { packages: Record<string, LockedPackage> }).packages;
}

/** The third-party packages that the server needs, directly or not, by their paths below the root, in the order of these. */
export function productionPackages(): ReadonlyMap<string, LockedPackage> {
  const locked = lockedPackages();
  const reached = new Set<string>();
  const waiting = ["packages/server"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entry = locked[path];
    if (entry === undefined || reached.has(path)) continue;
    reached.add(path);
    for (const name of neededBy(entry)) waiting.push(locate(locked, name, path));
  }
  const paths = [...reached].filter((path) => path.includes("node_modules/")).sort();
  return new Map(paths.flatMap((path) => (locked[path] ? [[path, locked[path]] as const] : [])));
}

/** The names of the packages that a package needs. Optional peers are none of them: Clew installs none. */
function neededBy(entry: LockedPackage): readonly string[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta } = entry;
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers];
}

/** The path of the package that `name` stands for in the package at `from`, found as Node finds it. */
function locate(locked: Readonly<Record<string, LockedPackage>>, name: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, "node_modules", name);
    const entry = locked[path];
    if (entry !== undefined) return entry.link && entry.resolved ? entry.resolved : path;
    if (folder === ".") throw new Error(`package-lock.json has no ${name}, which ${from} needs`);
  }
}

/** The files of a package below its folder, without the packages in its own node_modules. */
function filesOf(folder: string): readonly string[] {
  const entries = globSync("**", {
    cwd: folder,
    withFileTypes: true,
    exclude: ({ name }) => name === "node_modules",
  });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
