/** @import { CreatedToken, Workspace } from "@clew/contract" */
import { call, explain } from "./api.js";
import { element } from "./element.js";
import { notice } from "./notice.js";
import { scopeWords } from "./scopes.js";

/** Days until a token expires; empty for never. */
const expiries = [
  ["30", "In 30 days"],
  ["7", "In 7 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
  ["", "Never"],
];

/**
 * The form that creates a service token.
 * @param {Workspace[]} workspaces the workspaces that the token can be allowed to open
 * @param {(token: CreatedToken) => void} onCreated
 * @param {() => void} onCancel
 */
export function tokenForm(workspaces, onCreated, onCancel) {
  const fault = element("div");
  const submit = element("button", { class: "primary" }, "Create token");
  const form = element(
    "form",
    { class: "card", "aria-label": "A new token" },
    element(
      "label",
      {},
      "Name",
      element("input", {
        name: "name",
        required: true,
        maxlength: "100",
        autocomplete: "off",
        placeholder: "What will use it, for example: reading agent",
      }),
    ),
    choices(
      "May open",
      "workspace",
      workspaces.map(({ id, name }) => [id, name ?? id]),
    ),
    choices("May do", "scope", Object.entries(scopeWords)),
    element(
      "label",
      {},
      "Expires",
      element(
        "select",
        { name: "expiry" },
        ...expiries.map(([value = "", text = ""]) => element("option", { value }, text)),
      ),
    ),
    fault,
    element(
      "div",
      { class: "buttons" },
      submit,
      element("button", { type: "button", onclick: onCancel }, "Cancel"),
    ),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    fault.replaceChildren();
    try {
      onCreated(await call("tokens/", { method: "POST", body: requestOf(new FormData(form)) }));
    } catch (error) {
      fault.append(notice(explain(error)));
      submit.disabled = false;
    }
  });
  return form;
}

/** @param {FormData} data */
function requestOf(data) {
  const expiry = data.get("expiry");
  return {
    name: data.get("name"),
    scopes: data.getAll("scope"),
    workspace_ids: data.getAll("workspace"),
    ...(expiry ? { expires_in_days: Number(expiry) } : {}),
  };
}

/**
 * A group of checkboxes. At least one must be checked.
 * @param {string} legend
 * @param {string} name
 * @param {[string, string][]} options
 */
function choices(legend, name, options) {
  const boxes = options.map(([value]) => element("input", { type: "checkbox", name, value, checked: true }));
  const judge = () => {
    const chosen = boxes.some(({ checked }) => checked);
    boxes[0]?.setCustomValidity(chosen ? "" : "Choose at least one.");
  };
  return element(
    "fieldset",
    { onchange: judge },
    element("legend", {}, legend),
    ...options.map(([, text], index) => element("label", { class: "choice" }, boxes[index] ?? null, text)),
  );
}
