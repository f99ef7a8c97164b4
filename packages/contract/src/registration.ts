import { Type } from "typebox";
import { named, oneOf } from "./schema.ts";

/** What a client is told that tries to register (RFC 7591, section 3.2.2). Clew takes service tokens alone. */
export const RegistrationError = named(
  "RegistrationError",
  Type.Object({ error: oneOf(["invalid_client_metadata"]), error_description: Type.String() }),
);
