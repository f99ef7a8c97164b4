/**
 * What is wrong with a key or a sealed secret.
 * `invalid_key`: not a key at all · `missing_key`: the key file is gone · `exposed_key`: others may read it · `wrong_key`: not the key that this
 * installation's secrets are sealed with · `unfinished_change`: the key is being changed · `unsealable`: wrong key, other context, or altered.
 */
export type SecretsErrorCode =
  | "invalid_key"
  | "missing_key"
  | "exposed_key"
  | "wrong_key"
  | "unfinished_change"
  | "unsealable";

/** A key or a sealed secret is refused. The message holds neither. */
export class SecretsError extends Error {
  readonly code: SecretsErrorCode;

  constructor(code: SecretsErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "SecretsError";
    this.code = code;
  }
}
