import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { portHolder } from "../model/holders.ts";
import { codeOf } from "../model/thrown.ts";

/** The address that a server listens at, and the setting of its port. */
interface Listening {
  readonly host: string;
  readonly port: number;
  readonly portSetting: string;
}

/** Clew cannot listen. The message is for the operator. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  /** Whether it stays so until somebody changes the settings. */
  readonly isLasting: boolean;

  constructor(message: string, { isLasting, cause }: { isLasting: boolean; cause: unknown }) {
    super(message, { cause });
    this.isLasting = isLasting;
  }
}

/** Runs `listen`. Throws a `ListenError` that says what is in the way and what to do if it fails for a reason of this machine. */
export async function listenOr<T>(at: Listening, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (cause) {
    const message = faultOf(at, codeOf(cause));
    // A program that has the port may end, and an address may come up after Clew.
    throw message === null
      ? cause
      : new ListenError(message, { isLasting: codeOf(cause) === "EACCES", cause });
  }
}

function faultOf({ host, port, portSetting }: Listening, code: string): string | null {
  if (code === "EADDRINUSE") {
    const holder = portHolder(port);
    const by = holder === null ? "" : ` by ${holder}`;
    return `Port ${port} on ${host} is already in use${by}. Stop that program, or set ${portSetting} to another port.`;
  }
  if (code === "EACCES") {
    const first = lowestOpenPort();
    return `Port ${port} needs rights that this process does not have. Set ${portSetting} to ${first} or above, behind a proxy that has port ${port}; or give it the right CAP_NET_BIND_SERVICE.`;
  }
  if (code === "EADDRNOTAVAIL")
    return `HOST is ${host}, which is no address of this machine: it has ${ownAddresses().join(", ")}. Set HOST to one of these, or to 0.0.0.0 for all.`;
  if (code === "EAFNOSUPPORT")
    return `HOST is ${host}, and this machine has no IPv6. Set HOST to 0.0.0.0 for all of its addresses.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `HOST is ${host}, a name that this machine does not know. Set HOST to an address of this machine, or to 0.0.0.0 for all.`;
  return null;
}

/** https://docs.kernel.org/networking/ip-sysctl.html */
function lowestOpenPort(): number {
  try {
    return Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"));
  } catch {
    return 1024;
  }
}

function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  // Link-local addresses need a zone, and nobody means them.
  return all.map(({ address }) => address).filter((address) => !address.startsWith("fe80:"));
}
