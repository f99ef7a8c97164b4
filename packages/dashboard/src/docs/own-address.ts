/** The address of Clew in the examples of the documentation. */
const exampleAddress = "http://localhost:8420";

/** Writes the address of the Clew that serves this page into its examples, so that they work as they are copied. */
export function showOwnAddress(): void {
  const ownAddress = new URL("..", document.baseURI).href.replace(/\/$/, "");
  const isExample = (code: Element) =>
    code.parentElement?.localName === "pre" || code.textContent.includes(`${exampleAddress}/api/`);
  for (const code of [...document.querySelectorAll("code")].filter(isExample)) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      text.nodeValue = text.nodeValue?.replaceAll(exampleAddress, ownAddress) ?? null;
  }
}
