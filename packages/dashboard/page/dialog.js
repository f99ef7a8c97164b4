import { element } from "./element.js";

/**
 * Asks for confirmation before an irreversible action.
 * @param {{ title: string, keep: string, act: string }} words the question and the labels of its two buttons
 * @param {...Node} body its fields must be valid before the action can be confirmed
 * @returns {Promise<boolean>} whether the person confirmed
 */
export function confirmed({ title, keep, act }, ...body) {
  const dialog = element(
    "dialog",
    { "aria-labelledby": "question" },
    element(
      "form",
      { method: "dialog" },
      element("h2", { id: "question" }, title),
      ...body,
      element(
        "div",
        { class: "buttons" },
        element("button", { type: "button", onclick: () => dialog.close() }, keep),
        element("button", { class: "danger", value: "yes" }, act),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}
