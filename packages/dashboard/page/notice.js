import { element } from "./element.js";

/**
 * A message about a failure, with a button for the remedy if there is one.
 * @param {string} text
 * @param {{ label: string, run: () => void }} [remedy]
 */
export function notice(text, remedy) {
  return element(
    "div",
    { class: "notice", role: "alert" },
    element("p", {}, text),
    remedy ? element("button", { onclick: remedy.run }, remedy.label) : null,
  );
}

/**
 * A message about a success.
 * @param {string} text
 */
export function note(text) {
  return element("p", { class: "notice good" }, text);
}
