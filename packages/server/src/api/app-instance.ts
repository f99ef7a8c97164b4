export type { App } from "../http/server.ts";
