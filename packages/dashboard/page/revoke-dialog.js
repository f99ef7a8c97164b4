/** @import { ServiceToken } from "@clew/contract" */
import { element } from "./element.js";
import { timeElement } from "./time.js";

/**
 * Asks before a token is revoked for good.
 * @param {ServiceToken} token
 * @returns {Promise<boolean>} whether it shall be
 */
export function confirmRevocation({ name, last_used_at }) {
  const use =
    last_used_at === null ? ["It was never used."] : ["It was last used ", timeElement(last_used_at), "."];
  const dialog = element(
    "dialog",
    { "aria-labelledby": "revoke-title" },
    element(
      "form",
      { method: "dialog" },
      element("h2", { id: "revoke-title" }, `Revoke “${name}”?`),
      element("p", {}, ...use, " Whoever holds it loses access at once, and for good."),
      element(
        "div",
        { class: "buttons" },
        element("button", { value: "" }, "Keep it"),
        element("button", { class: "danger", value: "revoke" }, "Revoke"),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "revoke");
    });
  });
}
