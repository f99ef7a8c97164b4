import type { QueryWord, TextQuery } from "@clew/text-index";
import { numberIn, spellingsOf } from "./numbers.ts";
import type { TextSearch } from "./port.ts";

/** Words that questions are made of and that do not say what is asked. */
const functionWords: Readonly<Record<string, string>> = {
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

/**
 * Words of conversation, in which people ask about something else. A documentation has few of them, so their rarity would
 * make them count most.
 */
const conversation = `able ago allow allows almost alone along already although always among another anybody anyhow anyone anything
  anyway anywhere apart around ask asked asking aside away back became become becomes begin behind below beside besides best better
  between beyond big bit bother brief brought came cannot cause certain certainly clearly come comes coming consider contain couldn
  currently day days despite different doesn don down each early easily easy either else elsewhere enough especially etc even ever
  every everybody everyone everything everywhere exactly except far few find followed following follows former found full fully
  further gave get gets getting give given gives go goes going gone good got gotten great half happen happened happens hard hardly
  hello help hence herself himself hope however idea immediate indeed inner instead keep keeps kept kind knew know known knows large
  last lately later latest latter least left less likely little ll long longer look looking looks lot made mainly make makes making
  many matter maybe mean means meant meanwhile merely mind month moreover mostly move much myself name near nearly necessary need
  needed needs neither never nevertheless new next night nobody none nothing nowhere obviously off often oh ok okay old ones onto
  otherwise ourselves outside overall part particular particularly people perhaps place placed please plus possible presumably
  probably put question quite rather really reason reasonably regarding rest right run said saw say saying says second see seeing
  seem seemed seems seen sensible sent serious seriously several short show shows side since small somehow something sometimes
  somewhat somewhere soon sorry start still stuff suddenly suppose supposed sure surely take taken takes taking talk tell tells thank
  thanks thing things think third though thought three throughout thus time times today together told tomorrow took top toward
  towards tried tries true truly try trying turn turned turns twice two unfortunately unless unlikely upon use used useful uses using
  usual usually various via want wanted wants way ways week well went whatever whenever wherever whether whole willing wish
  within without won wonder write wrong year years yes yesterday yet yours yourself`;

const wordsOf = (text: string) => text.trim().split(/\s+/);
const functions = new Set(Object.values(functionWords).flatMap(wordsOf));
const conversational = new Set(wordsOf(conversation));

/** Whether a word says what is asked. */
type IsTelling = (term: string) => boolean;

const isTelling: IsTelling = (term) => !functions.has(term) && !/^[a-z]$/.test(term);
const isTopical: IsTelling = (term) => isTelling(term) && !conversational.has(term);

/**
 * The words of a question that say what is asked; all of them if none does. A word with signs inside loses such parts at
 * its ends: `library's` becomes `library`.
 */
export function questionWords(question: TextQuery): TextQuery {
  const wanted = isTopical;
  const words = question.words.flatMap((word) => {
    const terms = word.terms.slice(word.terms.findIndex(wanted), word.terms.findLastIndex(wanted) + 1);
    return terms.length === 0 ? [] : [{ ...word, terms }];
  });
  return words.length === 0 ? question : { ...question, words };
}

/** A word of a question and its weight; weights are relative. */
export interface WeightedTerm {
  /** A word, or a number of several parts such as `3.7.3`. */
  readonly term: string;
  readonly weight: number;
}

/** The words of a question and of a possible answer, as a search takes them. */
export interface AskedWords {
  readonly query: TextQuery;
  /** For each word of the query, the share of its weight that counts. */
  readonly shares: readonly number[];
  /** The number of its first words, which say what is asked. */
  readonly asked: number;
}

/** The share of the weight of a word that only the answer may have. */
const alsoShare = 0.5;
/** The share of the weight of a word of conversation, beside words that say what is asked. */
const conversationShare = 0.4;

/** Joins the words of a question, and other spellings of its versions, with words that the answer may have. */
export function askedWords(question: TextQuery, also: TextQuery | null): AskedWords {
  const own = questionWords(question).words;
  const known = new Set(own.map(keyOf));
  const added = [own.flatMap(spellingsOf), question.words.filter(isTellingWord), also?.words ?? []].map(
    (words) => words.filter((word) => !known.has(keyOf(word)) && known.add(keyOf(word))),
  );
  const words = [...own, ...added.flat()];
  const [spellings = [], conversation = [], answer = []] = added;
  return {
    query: { ...question, words },
    shares: [
      ...[...own, ...spellings].map(() => 1),
      ...conversation.map(() => conversationShare),
      ...answer.map(() => alsoShare),
    ],
    asked: own.length,
  };
}

const keyOf = ({ terms }: QueryWord) => terms.join(" ");
const isTellingWord = ({ terms }: QueryWord) => terms.every(isTelling);

/** The weight of a word that was too frequent to be looked for, beside that of the most frequent one that was. */
const frequentShare = 0.7;

/** The weight of a word that no text has in this form, beside that of the rarest one: texts may have another form. */
const unknownShare = 1;

/** The words with the weights that the index gave them, each once. The parts of a compound word share its weight. */
export function weightedTerms(
  { query, shares }: AskedWords,
  { weights, ignored }: Pick<TextSearch, "weights" | "ignored">,
): WeightedTerm[] {
  const least = Math.min(...weights.filter((weight) => weight > 0), 1);
  const most = Math.max(...weights, 0);
  const found = new Map<string, number>();
  for (const [index, word] of query.words.entries()) {
    const weight = ignored.includes(word.text)
      ? frequentShare * least
      : weights[index] || unknownShare * most;
    const terms = termsOf(word);
    for (const term of terms) {
      const share = ((shares[index] ?? 1) * weight) / terms.length;
      found.set(term, Math.max(found.get(term) ?? 0, share));
    }
  }
  return [...found].map(([term, weight]) => ({ term, weight }));
}

/** The terms by which a word of a question counts: a number of several parts is one, a phrase counts by its words. */
export function termsOf({ text, terms }: Pick<QueryWord, "text" | "terms">): readonly string[] {
  const number = numberIn(text);
  if (number !== null) return [number];
  const telling = terms.filter(isTelling);
  return telling.length === 0 ? terms : telling;
}
