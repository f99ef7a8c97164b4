/** The attributes of an element, and listeners whose names begin with `on`. */
type Attributes = Readonly<Record<string, string | boolean | EventListener>>;

/** Creates an element. Strings become text nodes and are never parsed as markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string | null)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}
