import { createToken, signIn } from "../support/session.ts";

// Signs in at the Clew whose address is the argument, and prints a service token.
const base = new URL(process.argv[2] ?? "");
const { token } = await createToken(base, await signIn(base), "campaign");
console.log(token);
