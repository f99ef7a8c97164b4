import { confirmed } from "./dialog.js";
import { element } from "./element.js";

/**
 * The last section of the page: deleting the account.
 * @param {() => void} onDelete called after the person has confirmed
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
      "Your workspaces, their graphs and all your tokens are deleted at once and for good, and you are signed out " +
        "everywhere. Your pages at the provider stay as they are.",
    ),
    element(
      "label",
      {},
      "Type “delete” to confirm",
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
