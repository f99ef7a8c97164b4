/** Where browsers reach the demo workspace, without a slash at the end (SIGN-11). */
export function demoUrl(publicUrl: URL): string {
  return `${publicUrl.href.replace(/\/$/, "")}/demo`;
}
