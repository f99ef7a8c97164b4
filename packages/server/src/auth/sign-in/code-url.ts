/** Where Clew asks for a one-time code in place of the provider's consent (SIGN-12). */
export function codeUrl(publicUrl: URL): string {
  const base = publicUrl.href.replace(/\/$/, "");
  return `${base}/api/integrations/auth/provider/code`;
}
