import type { TextQuery } from "@clew/text-index";

/**
 * Words that questions are made of and that say nothing of what is asked. A documentation has few of them, so their rarity
 * would make them count most.
 */
const words: Readonly<Record<string, string>> = {
  english: `a about after all also am an and any are as at be because been before being but by can could d did do does doing done for
    from had has have having he her here him his how i if in into is it its itself just let ll m may me might more most must my no
    nor not now of on once one only or other our ours out over own re s same shall she should so some somebody someone such t than
    that the their them then there these they this those through to too under until up us ve very was we were what when where
    which while who whom whose why will with would you your`,
  german: `aber als am an auch auf aus bei bin bis da das dass dein dem den der des die dies diese dieser dieses doch du durch ein eine
    einem einen einer eines er es euch fur hat habe haben ich ihm ihn ihr im in ist ja kann kein keine mein mich mir mit muss nach
    nicht noch nur oder sein seine sich sie sind so soll uber um und uns unser vom von vor wann war was wenn wer werden wie wir
    wird wo wurde zu zum zur`,
};

const known = new Set(Object.values(words).flatMap((list) => list.split(/\s+/)));

/** A question without such words, unless it has no others. */
export function questionWords(question: TextQuery | null): TextQuery | null {
  if (question === null) return null;
  const telling = question.words.filter(({ terms }) => !terms.every((term) => known.has(term)));
  return telling.length === 0 ? question : { ...question, words: telling };
}
