export { type Client, createClient, type GraphItem, type Response } from "./client.ts";
export { ResponseError } from "./response-error.ts";
export { type SignedIn, type SignIn, signIn } from "./sign-in.ts";
export { describeSync, waitForSync } from "./wait-for-sync.ts";
