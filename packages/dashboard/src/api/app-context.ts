import type { Client } from "@clew/client";
import { createContext, use } from "react";
import type { SessionKeeper } from "../session/keeper.ts";

/** The parts that all views of the signed-in application use. */
export interface AppServices {
  readonly api: Client;
  readonly keeper: SessionKeeper;
}

export const AppContext = createContext<AppServices | null>(null);

export function useApp(): AppServices {
  const services = use(AppContext);
  if (services === null) throw new Error("no AppContext");
  return services;
}

/** Calls Clew as the person who signed in. */
export const useApi = (): Client => useApp().api;
