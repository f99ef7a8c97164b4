/** A step of the sign-in that sends the browser elsewhere. */
export interface Redirect {
  readonly location: string;
  /** Values of `Set-Cookie` headers. */
  readonly cookies: readonly string[];
}
