import { Readable } from "node:stream";
import type { Fault } from "./rule.ts";

/** A body that ends too soon: not even headers come before null. The length is what the headers say. */
export interface BrokenBody {
  readonly body: string | Readable | null;
  readonly length: number;
}

/** Breaks the body of an answer; null where the fault leaves it whole. */
export function breakBody(body: string, fault: Fault): BrokenBody | null {
  if (fault.kind !== "truncated" && fault.kind !== "disconnected") return null;
  const cut = body.slice(0, Math.floor(body.length * (fault.at ?? 0.5)));
  return fault.kind === "truncated"
    ? { body: cut, length: Buffer.byteLength(cut) }
    : { body: cut === "" ? null : endingInAnError(cut), length: Buffer.byteLength(body) };
}

/** Text, and then an error, at which the server destroys the connection: not before the text has left. */
function endingInAnError(text: string): Readable {
  let begun = false;
  return new Readable({
    read() {
      if (!begun) this.push(text);
      else setImmediate(() => this.destroy(new Error("the connection was cut on purpose")));
      begun = true;
    },
  });
}
