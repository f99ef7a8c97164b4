import { type AppClew, startAppClew } from "../support/app-clew.ts";
import { shared } from "../support/shared.ts";
import { arrive, type Person } from "./app.ts";

/** The Clew of the tests of a process. */
export const sharedClew: () => Promise<AppClew> = shared((stage) => startAppClew(stage));

/** A person who is signed in, for tests that leave no tokens and codes. */
export const somebody: () => Promise<Person> = shared(async () =>
  arrive((await sharedClew()).url, "Visitor"),
);
