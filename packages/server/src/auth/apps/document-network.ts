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
  if (privateName.test(hostname)) throw notPublic();
  const addresses = await network.resolve(hostname);
  const [first] = addresses;
  // One private address among several is no accident.
  if (first === undefined || !addresses.every(isPublic)) throw notPublic();
  return first;
}

/** The names below `internal` are private (reserved by ICANN in 2024), and clouds' services have them: `metadata.google.internal`. */
const privateName = /(?:^|\.)internal\.?$/i;

const notPublic = () => new DocumentError("its document is not at a public address.");

/** The IPv6 addresses that are given out to networks (RFC 4291, section 2.4): all others are of this machine, its network, or nobody's. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** IPv4 addresses written as IPv6, for networks without IPv4 (RFC 6052, section 2.1). */
const translated = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * Services of clouds for their own machines, which give out credentials, at addresses that look public. Those of others are
 * link-local (169.254.169.254), private or unique local (fd00:ec2::254).
 */
const cloudAddresses: readonly string[] = ["168.63.129.16"];

/**
 * Whether an address belongs to the public internet: all others are of this machine, its network, or of special use. Addresses that
 * lead to another one by a tunnel, 6to4 and Teredo, are of special use.
 */
export function isPublic(address: string): boolean {
  // The library also takes notations such as `0x7f.1`, and zones.
  const version = isIP(address);
  if (version === 0 || address.includes("%")) return false;
  // To the library `::8.8.8.8` is `::ffff:8.8.8.8`, which it is not; in hexadecimal digits it knows the difference.
  const written = version === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
  const parsed = ipaddr.process(written);
  if (parsed instanceof ipaddr.IPv6 && parsed.match(translated))
    return isPublic(ipaddr.fromByteArray(parsed.toByteArray().slice(12)).toString());
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast)) return false;
  return parsed.range() === "unicast" && !cloudAddresses.includes(parsed.toString());
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
