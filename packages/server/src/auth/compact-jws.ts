interface CompactJws {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Far longer than any token of Clew's: a longer one is refused unread. */
const maximumLength = 4096;

/**
 * Takes a JWS in compact serialisation apart (RFC 7515, section 7.1) without looking at its signature.
 * null unless it has three segments, each in canonical base64url, of which two are JSON objects.
 * Lenient decoders read `QQ`, `QR`, `QQ==` and `Q Q` alike; here a token has one spelling only.
 */
export function readCompactJws(raw: string): CompactJws | null {
  if (raw.length > maximumLength) return null;
  const [header, payload, signature, ...rest] = raw.split(".").map(decodeCanonical);
  if (!header || !payload || !signature || rest.length > 0) return null;
  const [headerObject, payloadObject] = [parseObject(header), parseObject(payload)];
  return headerObject && payloadObject && { header: headerObject, payload: payloadObject };
}

function decodeCanonical(segment: string): Buffer | null {
  const bytes = Buffer.from(segment, "base64url");
  return bytes.length > 0 && bytes.toString("base64url") === segment ? bytes : null;
}

function parseObject(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
