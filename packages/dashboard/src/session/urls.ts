/** The URL of the dashboard; the server sets it as `<base>`. */
export const dashboardUrl = new URL(document.baseURI);

/** Clew's public URL. */
export const clewUrl = new URL("../", dashboardUrl);

/** The URL at which a sign-in begins. A person who is already signed in can share more there. */
export const signInUrl = new URL("api/integrations/auth/provider/", clewUrl).href;

/** Tells the name of the provider, for the button that leads to it. */
export const signInStatusUrl = new URL("status", signInUrl).href;
