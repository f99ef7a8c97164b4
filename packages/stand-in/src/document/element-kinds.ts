const words = (text: string) => new Set(text.split(" "));

const htmlBlocks = words(
  "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html iframe li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul video",
);

const htmlInlines = words(
  "a abbr area audio b base bdi bdo br button cite code col colgroup data del dfn em embed font i img input ins kbd label link map mark meta meter object option output param picture progress q rp rt ruby s samp select slot small source span strong sub sup svg template textarea time title track tt u use var wbr",
);

/** Components of documentation sites that stand within a line. */
const inlineComponents = words("Badge Icon Kbd Key Latex Link Tooltip");

/** Whether an element makes a block of its own. Components, written with a capital, do unless known to be inline. */
export function isBlockElement(name: string): boolean {
  return isComponent(name) ? !inlineComponents.has(name) : htmlBlocks.has(name);
}

/** Whether HTML has an element of this name. */
export function isHtmlElement(name: string): boolean {
  return htmlBlocks.has(name) || htmlInlines.has(name);
}

/** Elements whose content is no text to read. */
export function isOpaque(name: string): boolean {
  return name === "script" || name === "style" || name === "svg";
}

function isComponent(name: string): boolean {
  return /^[A-Z]/.test(name);
}
