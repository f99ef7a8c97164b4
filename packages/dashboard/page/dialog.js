import { element } from "./element.js";

/**
 * Asks before something is done for good.
 * @param {{ title: string, keep: string, act: string }} words the question, and what its two buttons say
 * @param {...Node} body fields in it must be valid before anything is done
 * @returns {Promise<boolean>} whether it shall be
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
