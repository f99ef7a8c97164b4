/** Who wants to know how a message was written, and whether they keep it. */
const keepers = new WeakMap<object, (body: Buffer) => boolean>();

/** Bodies of messages that are kept, for as long as those are. */
const bodies = new WeakMap<object, Buffer>();

/**
 * Tells `keep` how this message was written, once that was done. Where `keep` returns true, the message is kept to be
 * answered again, and its body with it.
 */
export function whenWritten(message: object, keep: (body: Buffer) => boolean): void {
  keepers.set(message, keep);
}

/** The body of a message: the one that is kept, or else the one that is written now. */
export function writtenBody(message: object, write: (message: object) => Buffer): Buffer {
  const known = bodies.get(message);
  if (known !== undefined) return known;
  const body = write(message);
  if (keepers.get(message)?.(body) === true) bodies.set(message, body);
  keepers.delete(message);
  return body;
}
