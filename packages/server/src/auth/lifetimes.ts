/** How long an access token lives at most, in milliseconds (SESS-1). */
export const accessLifetime = 4 * 60 * 60 * 1000;

/** How long a refresh token, and with it its session, lives, in milliseconds (SESS-1). */
export const refreshLifetime = 7 * 24 * 60 * 60 * 1000;
