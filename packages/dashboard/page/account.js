import { confirmed } from "./dialog.js";
import { element } from "./element.js";

/**
 * The end of the page: giving the account up.
 * @param {() => void} onDelete told once that was confirmed
 */
export function accountView(onDelete) {
  const ask = async () => {
    if (await confirmDeletion()) onDelete();
  };
  return element(
    "section",
    { "aria-labelledby": "account-title" },
    element("h2", { id: "account-title" }, "Your account"),
    element("button", { class: "danger", onclick: ask }, "Delete my account…"),
  );
}

function confirmDeletion() {
  return confirmed(
    { title: "Delete your account?", keep: "Keep it", act: "Delete it" },
    element(
      "p",
      {},
      "Your workspaces, their graphs and all your tokens go at once and for good, and you are signed out " +
        "everywhere. Your pages at the provider stay as they are.",
    ),
    element(
      "label",
      {},
      "Type “delete” to go on",
      element("input", {
        required: true,
        pattern: "\\s*[Dd]elete\\s*",
        title: "The word delete",
        autocomplete: "off",
        autocapitalize: "none",
        spellcheck: "false",
      }),
    ),
  );
}
