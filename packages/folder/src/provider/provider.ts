import type { NodeId } from "@clew/graph";
import { type Clock, type Provider, ProviderError, type RandomBytes, type Webhooks } from "@clew/provider";
import { pageOfAddress } from "./addresses.ts";
import { createSignIn } from "./sign-in.ts";

/** A folder of Markdown as a source. */
export interface FolderOptions extends Pick<Provider, "slug" | "aliases" | "name" | "asksForCode"> {
  /** The folder. */
  readonly path: string;
  /** A folder of Clew's own that keeps what is remembered of this one; null keeps it in memory. */
  readonly stateDir: string | null;
  /** The page of Clew's own on which a person opens the folder. It gets `state`, `redirect_uri` and, for one press, `code`. */
  readonly signInUrl: URL;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: FolderLog;
}

/** The log that names what was ignored in a folder, and failures. */
export interface FolderLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** The name under which the people of all folders are stored: who opens two folders is one user. */
const people = "folder";

/** A folder of Markdown as Clew's provider. Nothing is read before a reader or a watch needs it. */
export function createFolderProvider(options: FolderOptions): Provider {
  const { slug, aliases, name, asksForCode } = options;
  return {
    slug,
    aliases,
    people,
    name,
    product: name,
    standIn: false,
    setup: null,
    sortsByEdit: true,
    asksForCode,
    pageOfUrl: (url): NodeId | null => pageOfAddress(url),
    ...createSignIn(options),
    webhooks: noWebhooks,
    reader() {
      throw new ProviderError("unavailable", "folders cannot be read yet");
    },
  };
}

const noWebhooks: Webhooks = { verify: () => false, offeredKey: () => null, event: () => null };
