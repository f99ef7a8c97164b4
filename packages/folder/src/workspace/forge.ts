import path from "node:path";
import { readForgeAddress } from "@clew/graph";
import { findCheckout } from "./git-checkout.ts";

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
  const checkout = await findCheckout(folder);
  if (checkout === null) return null;
  const remote = /^\[remote "origin"\][ \t]*\n((?:[ \t]+.*\n?|\n)*)/m.exec(checkout.config)?.[1] ?? "";
  const address = addressOfRemote(/^[ \t]*url[ \t]*=[ \t]*(\S+)/m.exec(remote)?.[1] ?? "");
  const head = checkout.head.trim();
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  const below = path.relative(checkout.root, folder).split(path.sep).join("/");
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
