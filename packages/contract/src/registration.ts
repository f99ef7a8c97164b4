import { Type } from "typebox";
import { named, oneOf } from "./schema.ts";

/** The response to a client registration (RFC 7591, section 3.2.2), which Clew does not support. */
export const RegistrationError = named(
  "RegistrationError",
  Type.Object({ error: oneOf(["invalid_client_metadata"]), error_description: Type.String() }),
);
