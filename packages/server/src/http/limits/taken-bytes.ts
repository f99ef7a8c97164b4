import type { Socket } from "node:net";

/**
 * Bytes that the operating system has accepted for a connection: it accepts more once the client reads some. 0 after the
 * connection has been closed.
 */
export function takenBytesOf(socket: Socket): number {
  // Undocumented, but Node shows these figures nowhere else, and its own socket timeout uses them.
  const { _handle: handle } = socket as { _handle?: { bytesWritten: number; writeQueueSize: number } | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
