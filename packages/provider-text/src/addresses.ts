import type { NodeId } from "@clew/graph";

/** Reads the addresses in a text of one provider. */
export interface TextAddresses {
  /** The page or database that an address opens; null if it opens anything else. */
  pageOf(address: string): NodeId | null;
  /** The block that an address names in its fragment; null if it names none. */
  blockOf(address: string): string | null;
  /** Whether an address opens an uploaded file, for a limited time. */
  isUpload(url: URL): boolean;
}

/** Longer addresses are ignored. */
export const maxUrlLength = 8192;

/** Query parameters of signed addresses, which expire. */
const signature = /[?&;](?:x-amz-|x-goog-|signature=|sig=)/i;

type UploadTest = TextAddresses["isUpload"];

const none: UploadTest = () => false;

function isExpiring(address: string, isUpload: UploadTest): boolean {
  if (signature.test(address)) return true;
  const url = URL.parse(address);
  return url !== null && isUpload(url);
}

/** An https address that does not expire, or one below `own`, an address of Clew itself; null for anything else (ERR-6). */
export function permanentUrl(
  address: string | null,
  { isUpload = none, own = null }: { isUpload?: UploadTest; own?: Pick<URL, "href"> | null } = {},
): string | null {
  if (address === null || address.length > maxUrlLength || isExpiring(address, isUpload)) return null;
  const url = URL.parse(address);
  if (url === null || url.href.length > maxUrlLength || url.username !== "" || url.password !== "")
    return null;
  const isOwn = own !== null && url.href.startsWith(own.href);
  return url.protocol === "https:" || isOwn ? url.href : null;
}

/** Replaces every address in a text that expires by `attachment:` and the file's name. */
export function withoutExpiringUrls(text: string, isUpload = none): string {
  return text.replace(/https?:\/\/[^\s"<>[\]`]+/gi, (match) => {
    const address = untilClosingParenthesis(match);
    return isExpiring(address, isUpload) ? attachmentName(address) + match.slice(address.length) : match;
  });
}

function attachmentName(address: string): string {
  const path = (URL.parse(address)?.pathname ?? address.split(/[?#]/, 1)[0]) || "file";
  return `attachment:${path.slice(path.lastIndexOf("/") + 1) || "file"}`;
}

/** Cuts an address at the parenthesis that closes the Markdown link around it. */
function untilClosingParenthesis(text: string): string {
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "(") open += 1;
    if (text[at] === ")" && --open < 0) return text.slice(0, at);
  }
  return text;
}
