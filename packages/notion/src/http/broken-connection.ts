/** The other codes of certificates that are refused. Source: Node's documentation of TLS, "X509 certificate error codes". */
const untrusted = /CERT|ISSUER|HOSTNAME_MISMATCH|UNABLE_TO_VERIFY|INVALID_CA|INVALID_PURPOSE|CRL/;

/** Describes why a request got no whole answer, with the code that Node gives it: `its host name was not found (ENOTFOUND)`. */
export function describeBrokenConnection(error: unknown): string {
  const code = codeOf(error);
  if (code === null) return "the connection broke";
  return `${reasonOf(code)} (${code})`;
}

function reasonOf(code: string): string {
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return "its certificate has expired";
    case "CERT_NOT_YET_VALID":
      return "its certificate is not valid yet, by the clock of this machine";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "its host name was not found";
    case "ECONNREFUSED":
      return "it refused the connection";
    default:
      return untrusted.test(code) ? "its certificate is not trusted" : "the connection broke";
  }
}

/** The first code among an error and its causes: `fetch` wraps what the network reports. */
function codeOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  return null;
}
