/**
 * Folds a text into the form in which search compares it (GRAPH-3): texts that differ only in what a searcher does not
 * mind become equal.
 *
 * - Compatibility forms: full and half width, ligatures, superscripts, circled letters (NFKD, UAX #15).
 * - Case, in full: ß is ss, ς is σ, and İ and ı are i.
 * - Accents: the combining marks that belong to no script, those of Cyrillic, Hebrew points, Arabic and Syriac vowel
 *   signs; and Latin letters with a stroke or in a ligature, which Unicode does not take apart.
 * - Typographic quotes and dashes, white space, and what shows nothing: joiners, variation selectors, the tatweel.
 *
 * Marks that make another letter stay: the vowel signs of Indic and South-East Asian scripts, Thai tones, Japanese
 * voicing (が is not か), and those of the Cyrillic letters й, ї, ў, ѓ and ќ. All is composed again at the end (NFC), so
 * that no letter is found within another: neither か in が nor 하 in 한.
 */
export function fold(text: string): string {
  if (tidyAscii.test(text)) return text.toLowerCase();
  return foldCase(text.normalize("NFKD").replace(invisible, "").replace(accents, ""))
    .replace(variants, (variant) => standards.get(variant) ?? variant)
    .replace(blanks, " ")
    .trim()
    .normalize("NFC");
}

/** As most titles are: there is only case to fold. */
const tidyAscii = /^[!-~]+(?: [!-~]+)*$/;

/** By way of upper case, which all forms of a letter share. */
const foldCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();

const invisible = /[\p{Default_Ignorable_Code_Point}\u0640]/gu;

/** Marks that are accents. The second part spares voicing marks, the last the five Cyrillic letters. */
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
