import type { ConnectionLimits } from "./connection-guard.ts";

/** Open files that the database, calls of the provider and Node itself need at least. */
const ownFiles = 96;

/** More connections than these take more memory than they are worth. */
const maximumConnections = 10_000;

const mebibyte = 1024 * 1024;

/** How many files this process may have open. */
export function openFileLimit(): number {
  // Otherwise the report looks up the name of every host that there is a connection to.
  const report = Object.assign(process.report, { excludeNetwork: true });
  // The type of a report is `object`; the limits in it are those of `ulimit`, or absent on Windows.
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? limit : Number.POSITIVE_INFINITY;
}

/**
 * The limits of connections under a limit of open files: a quarter of the files, or 96, is for everything else. One address
 * has a quarter of the connections.
 */
export function connectionLimits(openFiles: number): ConnectionLimits {
  const reserve = Math.max(ownFiles, openFiles / 4);
  const free = Number.isFinite(openFiles) ? Math.floor(openFiles - reserve) : maximumConnections;
  const connections = Math.max(16, Math.min(maximumConnections, free));
  return {
    connections,
    connectionsPerAddress: connections / 4,
    stallTimeout: 20_000,
    waitingBytes: 256 * mebibyte,
    waitingBytesPerAddress: 64 * mebibyte,
  };
}
