/** @import { ServiceToken } from "@clew/contract" */
import { confirmed } from "./dialog.js";
import { element } from "./element.js";
import { timeElement } from "./time.js";

/**
 * Asks for confirmation before a token is revoked.
 * @param {ServiceToken} token
 */
export function confirmRevocation({ name, last_used_at }) {
  const use =
    last_used_at === null ? ["It was never used."] : ["It was last used ", timeElement(last_used_at), "."];
  return confirmed(
    { title: `Revoke “${name}”?`, keep: "Keep it", act: "Revoke" },
    element("p", {}, ...use, " It loses access at once, permanently."),
  );
}
