/**
 * Folds a text into the form in which search compares it (GRAPH-3): texts become equal if they differ only in
 *
 * - compatibility forms: full and half width, ligatures, superscripts, circled letters (NFKD, UAX #15);
 * - case, in full: ß is ss, ς is σ, and İ and ı are i;
 * - accents: the combining marks that belong to no script, those of Cyrillic, Hebrew points, Arabic and Syriac vowel
 *   signs; and Latin letters with a stroke or in a ligature, which Unicode does not decompose;
 * - typographic quotes and dashes, white space, and invisible characters: joiners, variation selectors, the tatweel.
 *
 * Marks that make another letter stay: the vowel signs of Indic and South-East Asian scripts, Thai tones, Japanese
 * voicing (が is not か), and those of the Cyrillic letters й, ї, ў, ѓ and ќ. The result is composed again (NFC), so that
 * no letter is found within another: neither か in が nor 하 in 한.
 */
export function fold(text: string): string {
  if (tidyAscii.test(text)) return text.toLowerCase();
  return foldCase(text.normalize("NFKD").replace(invisible, "").replace(accents, ""))
    .replace(variants, (variant) => standards.get(variant) ?? variant)
    .replace(blanks, " ")
    .trim()
    .normalize("NFC");
}

/** Most titles: only their case needs folding. */
const tidyAscii = /^[!-~]+(?: [!-~]+)*$/;

/** Goes through upper case, which all forms of a letter share. */
const foldCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();

const invisible = /[\p{Default_Ignorable_Code_Point}\u0640]/gu;

/** Marks that are accents. The second part spares voicing marks, the last one the five Cyrillic letters. */
const accents =
  /[[\p{M}&&[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]]--[\u3099\u309a]](?<![ИиУу]\u0306|[Іі]\u0308|[ГгКк]\u0301)/gv;

const blanks = /[\s\p{Cc}]+/gu;

const standards = new Map([
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ħ", "h"],
  ["ŧ", "t"],
  ["ς", "σ"],
  ..."‘’‚‛ʻʼ".split("").map((quote): [string, string] => [quote, "'"]),
  ..."“”„‟".split("").map((quote): [string, string] => [quote, '"']),
  ..."‐‒–—―−".split("").map((dash): [string, string] => [dash, "-"]),
  ["⁄", "/"],
]);

const variants = new RegExp(`[${[...standards.keys()].join("")}]`, "gu");

/**
 * Folds a text whose every character folds to one code unit, whatever its neighbours, with one table lookup a unit: most
 * titles, and ten times faster than `fold`. Writes the result to `units` and returns where it ends; -1 for other texts.
 */
export function foldByUnit(text: string, units: Uint16Array, start: number): number {
  let previous = space;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const folded = foldedUnits[unit] || foldUnit(unit);
    if (folded === notByUnit || (folded === space && previous === space)) return -1;
    units[start + index] = folded;
    previous = folded;
  }
  return previous === space ? -1 : start + text.length;
}

const space = 0x20;
/** Not a character, so no folded text contains it. */
const notByUnit = 0xffff;

/** Code units folded so far; 0 if not yet. */
const foldedUnits = new Uint16Array(0x1_0000);

function foldUnit(unit: number): number {
  const character = String.fromCharCode(unit);
  const folded = character === " " ? " " : fold(character);
  const isAlone = folded.length === 1 && independent.test(character) && independent.test(folded);
  const result = isAlone ? folded.charCodeAt(0) : notByUnit;
  foldedUnits[unit] = result;
  return result;
}

/** Characters that neither compose with a neighbour nor modify it: no marks, surrogates, or parts of Hangul syllables. */
const independent = /^(?:[[\p{L}\p{N}\p{P}\p{S}]--[\u1100-\u11ff]]| )$/v;
