/** @import { CreatedToken, Workspace } from "@clew/contract" */
import { call } from "./api.js";
import { element } from "./element.js";

/** What each scope lets a token's holder do, in plain words. */
const scopes = {
  "graph:search": "Find pages by their title",
  "graph:read": "Read page details and content",
  "graph:neighbors": "Walk to neighbouring pages and along paths",
};

/** Days until a token expires; the empty one is never. */
const expiries = [
  ["30", "In 30 days"],
  ["7", "In 7 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
  ["", "Never"],
];

/**
 * The form that makes a service token.
 * @param {Workspace[]} workspaces
 * @param {(token: CreatedToken) => void} onCreated
 */
export function tokenForm(workspaces, onCreated) {
  const fault = element("p", { class: "notice error", role: "alert", hidden: true });
  const name = element("input", {
    name: "name",
    required: true,
    maxlength: "100",
    autocomplete: "off",
    placeholder: "reading agent",
  });
  const submit = element("button", { class: "primary" }, "Make the token");
  const form = element(
    "form",
    { class: "card" },
    element("label", {}, "Name", name),
    choices(
      "May read",
      "workspace",
      workspaces.map(({ id, name }) => [id, name ?? id]),
    ),
    choices("May do", "scope", Object.entries(scopes)),
    element(
      "label",
      {},
      "Expires",
      element(
        "select",
        { name: "expiry" },
        ...expiries.map(([value, text]) => element("option", { value: value ?? "" }, text ?? "")),
      ),
    ),
    fault,
    submit,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    fault.hidden = true;
    try {
      onCreated(await call("tokens/", { method: "POST", body: requestOf(new FormData(form)) }));
      name.value = "";
    } catch (error) {
      fault.textContent = error instanceof Error ? error.message : String(error);
      fault.hidden = false;
    }
    submit.disabled = false;
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
 * @param {string} legend
 * @param {string} name
 * @param {[string, string][]} options
 */
function choices(legend, name, options) {
  return element(
    "fieldset",
    {},
    element("legend", {}, legend),
    ...options.map(([value, text]) =>
      element(
        "label",
        { class: "choice" },
        element("input", { type: "checkbox", name, value, checked: true }),
        text,
      ),
    ),
  );
}
