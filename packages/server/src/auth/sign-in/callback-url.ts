/**
 * Where the provider sends people back to (SIGN-1). It is part of the grant: both requests must name the
 * same.
 */
export function callbackUrl(publicUrl: URL): string {
  const base = publicUrl.href.replace(/\/$/, "");
  return `${base}/api/integrations/auth/provider/callback`;
}
