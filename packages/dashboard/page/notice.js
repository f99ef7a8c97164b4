import { element } from "./element.js";

/**
 * Something that went wrong, and what can be done about it.
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
 * Something that went as it should.
 * @param {string} text
 */
export function note(text) {
  return element("p", { class: "notice good" }, text);
}
