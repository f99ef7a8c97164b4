import { notionDialect } from "./dialect.ts";

/**
 * Hosts of uploaded files: each address carries a signature that expires after an hour.
 * https://developers.notion.com/reference/file-object
 */
const uploadHosts = [
  /^prod-files-secure\.s3[.-]/,
  /^secure\.notion-static\.com$/,
  /^file\.notion\.so$/,
  /^files?\.notionusercontent\.com$/,
  /^img\.notionusercontent\.com$/,
];

/** Query parameters with which object stores sign an address for a while. */
const signature = /[?&;](?:x-amz-|x-goog-|signature=|sig=)/i;

/** Whether an address stops working soon, so that it must not be kept. */
function isExpiring(address: string): boolean {
  if (signature.test(address)) return true;
  const url = URL.parse(address);
  if (url === null) return false;
  return (
    uploadHosts.some((host) => host.test(url.hostname)) ||
    url.pathname.startsWith("/secure.notion-static.com/")
  );
}

/**
 * What stands in a text for an uploaded file: its name, and nothing that expires. It is not an address: the file
 * itself can only be had from the provider.
 */
function attachmentName(address: string): string {
  const path = (URL.parse(address)?.pathname ?? address.split(/[?#]/, 1)[0]) || "file";
  return `attachment:${path.slice(path.lastIndexOf("/") + 1) || "file"}`;
}

/** Replaces every address in a text that stops working soon by the file's name. */
export function withoutExpiringUrls(text: string): string {
  return text.replace(/https?:\/\/[^\s"<>[\]`]+/gi, (run) => {
    const address = withoutTrailingMarkup(run);
    return isExpiring(address) ? attachmentName(address) + run.slice(address.length) : run;
  });
}

/** Cuts an address at the parenthesis that closes the Markdown link around it. */
function withoutTrailingMarkup(run: string): string {
  let open = 0;
  for (let at = 0; at < run.length; at += 1) {
    if (run[at] === "(") open += 1;
    if (run[at] === ")" && --open < 0) return run.slice(0, at);
  }
  return run;
}

/** Longer addresses are let go. */
const maximumLength = 8192;

/** An https address that lasts, or one of the demo workspace's own; null for anything else (ERR-6). */
export function lastingUrl(address: string | null, { demoUrl } = notionDialect): string | null {
  if (address === null || address.length > maximumLength || isExpiring(address)) return null;
  const url = URL.parse(address);
  if (url === null || url.href.length > maximumLength || url.username !== "" || url.password !== "")
    return null;
  const isOwn = demoUrl !== null && url.href.startsWith(demoUrl.href);
  return url.protocol === "https:" || isOwn ? url.href : null;
}
