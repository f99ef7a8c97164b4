import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { readForgeAddress } from "@clew/graph";

/** The forge that hosts the repository of a folder, by the checkout's remote `origin`. */
export class Forge {
  /** Of the repository, such as `https://github.com/owner/name`. */
  readonly #address: string;
  /** The folder's path in the repository, with a slash at its end; empty for the repository itself. */
  readonly #prefix: string;
  /** The branch or commit that is checked out. */
  readonly #revision: { readonly name: string; readonly isBranch: boolean };

  constructor(
    address: string,
    prefix: string,
    revision: { readonly name: string; readonly isBranch: boolean },
  ) {
    this.#address = address;
    this.#prefix = prefix;
    this.#revision = revision;
  }

  /** The address at which the forge shows a file of the folder; null for a forge whose addresses are not known. */
  addressOf(file: string): string | null {
    const { hostname } = new URL(this.#address);
    const { name, isBranch } = this.#revision;
    const place = `${name}/${this.#prefix}${file}`.split("/").map(encodeURIComponent).join("/");
    if (hostname === "github.com") return `${this.#address}/blob/${place}`;
    if (hostname.startsWith("gitlab.")) return `${this.#address}/-/blob/${place}`;
    const isGitea = hostname === "codeberg.org" || /^(?:gitea|forgejo)\./.test(hostname);
    return isGitea ? `${this.#address}/src/${isBranch ? "branch" : "commit"}/${place}` : null;
  }

  /**
   * The paths in the folder that an address of a file or folder at the forge may mean, whatever revision it names: several,
   * because the name of a branch may have slashes.
   */
  pathsOf(target: string): string[] {
    const read = readForgeAddress(target);
    if (read?.repository !== this.#address.replace("https://", "").toLowerCase()) return [];
    const { parts } = read;
    return parts.flatMap((_, index) => {
      const place = parts.slice(index).join("/");
      return index > 0 && place.startsWith(this.#prefix) ? [place.slice(this.#prefix.length)] : [];
    });
  }
}

/** Reads which forge hosts the repository that a folder is a checkout of; null if none does. Runs no program. */
export async function readForge(folder: string): Promise<Forge | null> {
  const root = await checkoutOf(folder);
  if (root === null) return null;
  const [git, common] = await gitFolders(path.join(root, ".git"));
  const config = await textOf(path.join(common, "config"));
  const remote = /^\[remote "origin"\][ \t]*\n((?:[ \t]+.*\n?|\n)*)/m.exec(config)?.[1] ?? "";
  const address = addressOfRemote(/^[ \t]*url[ \t]*=[ \t]*(\S+)/m.exec(remote)?.[1] ?? "");
  const head = (await textOf(path.join(git, "HEAD"))).trim();
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  const below = path.relative(root, folder).split(path.sep).join("/");
  if (address === null || head === "") return null;
  return new Forge(address, below === "" ? "" : `${below}/`, {
    name: branch ?? head,
    isBranch: branch !== undefined,
  });
}

/** The https address of a repository, by a remote such as `git@github.com:owner/name.git`. Credentials are left out. */
export function addressOfRemote(remote: string): string | null {
  const [, host, place] = /^(?:[^@/\s]+@)?([\w.-]+):(?!\/)(.+)$/.exec(remote) ?? [];
  const url = URL.parse(host === undefined ? remote : `ssh://${host}/${place}`);
  if (url === null || !/^(?:https?|ssh|git):$/.test(url.protocol) || url.hostname === "") return null;
  const name = url.pathname.replace(/(?<!\/)\/+$/, "").replace(/\.git$/, "");
  const port = url.protocol.startsWith("http") && url.port !== "" ? `:${url.port}` : "";
  return /^\/[^/]+\/./.test(name) ? `https://${url.hostname}${port}${name}` : null;
}

/** The folder with `.git` that a folder is in; null if it is in none. */
async function checkoutOf(folder: string): Promise<string | null> {
  const isRoot = await stat(path.join(folder, ".git")).then(
    () => true,
    () => false,
  );
  if (isRoot) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? null : checkoutOf(parent);
}

/** The folder of the checkout and that of the repository, which worktrees share (gitrepository-layout(5)). */
async function gitFolders(place: string): Promise<[own: string, common: string]> {
  const linked = /^gitdir: (.+)$/m.exec(await textOf(place))?.[1];
  const own = linked === undefined ? place : path.resolve(path.dirname(place), linked.trim());
  const common = (await textOf(path.join(own, "commondir"))).trim();
  return [own, common === "" ? own : path.resolve(own, common)];
}

/** The text of a small file; empty if it cannot be read. */
function textOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}
