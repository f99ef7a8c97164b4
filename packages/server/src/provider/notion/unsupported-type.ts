/** A type that is new to Clew: not malformed, but nothing that can be read (SYNC-5). */
export class UnsupportedTypeError extends Error {
  /** As the provider writes it. */
  readonly type: string;

  constructor(type: string) {
    super(`The type ${type} is not supported`);
    this.name = "UnsupportedTypeError";
    this.type = type;
  }
}
