import { lookup } from "node:dns/promises";
import { request } from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect } from "node:tls";
import ipaddr from "ipaddr.js";

/** The network as clients' documents are read through it. Tests pass another one. */
export interface DocumentNetwork {
  /** The addresses of a host. */
  resolve(hostname: string): Promise<readonly string[]>;
  /** Opens a TLS connection to this address, and verifies that it is the host's. */
  connect(address: string, hostname: string): Duplex;
}

/** The network of this machine. */
export const ownNetwork: DocumentNetwork = {
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
  connect: (address, hostname) => connectVerified({ host: address, port: 443 }, hostname),
};

/** Opens a TLS connection, which breaks unless a certificate proves that the other side is the host. `ca` replaces the public authorities. */
export function connectVerified(
  to: Pick<ConnectionOptions, "host" | "port" | "ca">,
  hostname: string,
): Duplex {
  return connect({ ...to, servername: hostname });
}

/** A document cannot be read. `message` is public, and goes on from "The program cannot be identified:". */
export class DocumentError extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = "DocumentError";
  }
}

/** Bytes of a document. */
const maxBytes = 5 * 1024;

/** Milliseconds for all of it. */
const timeoutMs = 5000;

/**
 * Fetches a client's document: from a public address, which is resolved once and connected to as it is, so that the name cannot
 * mean another one meanwhile; without redirects and compression; within bounds of size and time. Throws `DocumentError`.
 */
export async function fetchDocument(network: DocumentNetwork, url: URL): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await within(signal, async () => {
      const address = await publicAddress(network, url.hostname);
      return read(url, () => network.connect(address, url.hostname), signal);
    });
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    const reason = signal.aborted ? "its document took too long." : "its document cannot be reached.";
    throw new DocumentError(reason, { cause });
  }
}

/** Rejects when the signal is aborted, whether or not the work heeds it. */
async function within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([work(), promise]).finally(() => signal.removeEventListener("abort", abort));
}

async function publicAddress(network: DocumentNetwork, hostname: string): Promise<string> {
  const addresses = await network.resolve(hostname);
  const [first] = addresses;
  // One private address among several is no accident.
  if (first === undefined || !addresses.every(isPublic))
    throw new DocumentError("its document is not at a public address.");
  return first;
}

/** Whether an address belongs to the public internet: all others are of this machine, its network, or of special use. */
export function isPublic(address: string): boolean {
  // The library also takes notations such as `0x7f.1`, and zones.
  return isIP(address) !== 0 && !address.includes("%") && ipaddr.process(address).range() === "unicast";
}

function read(url: URL, createConnection: () => Duplex, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      createConnection,
      signal,
      // Without an agent Node does not know the standard port, and would name another one.
      defaultPort: 443,
      headers: { accept: "application/json", "accept-encoding": "identity", "user-agent": "Clew" },
    });
    const fail = (reason: string) => {
      reject(new DocumentError(reason));
      sent.destroy();
    };
    sent.on("error", reject);
    sent.on("response", (response) => {
      const { statusCode, headers } = response;
      if (statusCode !== 200) return fail(`its document is answered with ${statusCode}.`);
      if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(headers["content-type"] ?? ""))
        return fail("its document is not JSON.");
      if ((headers["content-encoding"] ?? "identity") !== "identity")
        return fail("its document is compressed.");
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) return fail("its document is too large.");
        chunks.push(chunk);
      });
      response.on("error", reject);
      response.on("end", () => resolve(Buffer.concat(chunks).toString()));
    });
    sent.end();
  });
}
