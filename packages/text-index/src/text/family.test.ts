import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { scripts } from "./endings.ts";
import { areFamily, formsOf } from "./family.ts";
import { termsOf } from "./tokens.ts";

/** Words that are all forms of the first, line by line. */
const families: Readonly<Record<string, string>> = {
  english: `navigators navigator navigation navigations navigate navigates navigated navigating
    connect connects connected connecting connector connectors connection connections connective
    query queries queried querying
    plan plans planned planning planner planners
    process processes processed processing processor
    configure configures configured configuring configuration configurations configurable
    authorize authorized authorization authorizations authorise authorisation
    serialize serialized serialization serializer serial
    general generally
    option options optional optionally
    national nation nationally
    apply applied application applications applies applying
    available availability
    simple simply simpler
    category categories categorize categorization
    different difference differences differently
    page pages paging paged
    note notes noted noting
    index indices indexes indexed indexing
    matrix matrices
    half halves
    agree agreement agreements agrees
    require requirement requirements required
    quick quickly quicker quickest quickness
    security secure
    analysis analyses analyze analyzed analyst
    member members membership`,
  german: `sitzung sitzungen
    dokument dokumente dokumenten dokumentes dokuments
    liste listen
    woche wochen
    projekt projekte projekten
    kunde kunden`,
  romance: `documento documenti
    reunion reuniones
    usuario usuarios usuaria
    utilisation utilisations utilisateur utilisateurs utilisatrice`,
  russian: `книга книги книге книгу книгой книгами книгах
    вода воды воде водой
    документ документа документы документов документами
    решение решения решению решением решений
    быстрый быстрая быстрого быстро быстрым
    читать читает читал читала читают`,
  ukrainian: "документ документі документів документам",
  greek: `δρόμος δρόμοι δρόμου δρόμων
    πρόγραμμα προγράμματα προγράμματος
    λέξη λέξεις λέξεων
    γράφω γράφει γράφουν
    βιβλίο βιβλία βιβλίου βιβλίων`,
  korean: `회의 회의에서 회의를 회의는 회의에 회의가 회의들 회의들을
    문서 문서의 문서에서는 문서로
    검색 검색하다 검색하는 검색했다 검색된`,
};

/** Pairs of words that begin alike and are not forms of one another. */
const strangers = `general generate | general generation | general generic | generous generate | university universe |
  universal university | new news | new newer | news newer | organ organize | organic organization | author authority |
  authority authorize | number numb | flower flow | corner corn | import important | importance importing | conversation conversion |
  several sever | state station | state status | message mess | policy police | policy polite | plan plane | plan planet | past paste |
  plane plant | past pasta | apple apply | product produce | instance instant | current currency | respect respective | compute commute |
  section sector | fact factor | form former | form format | even evening | list listen | port portion | port portal | human humane |
  community communion | comply complication | reply replication | nation native | department depart | process procedure |
  customer custom | internal intern | response responsible | event even | contact contract | contain contact | scheme schema |
  message messenger | token take | page pagan | person personnel | sign signal | minute minus | interest internet | interest interface |
  почта почти | банк банан | стол столица | генерал генератор | университет универсальный | страна странный | слово слон | часть частота |
  φόρος φορά | νόμος νόμισμα | πόλη πόλεμος | 회의 회사 | 회의 회의실 | 문서 문제 | 고양 고양이 | 한국 한글 | 서버 서비스 | 漢字 漢文 | team tea | v2 v2s | sha256 sha256s |
  navigate navigation2`;

const termOf = (word: string) => termsOf(word).join(" ");

test("GRAPH-17: forms of a word are of one family", () => {
  for (const [language, lines] of Object.entries(families)) {
    for (const line of lines.split("\n")) {
      const [first = "", ...others] = line.trim().split(/\s+/).map(termOf);
      for (const other of others) {
        assert.ok(areFamily(first, other), `${language}: ${first}, ${other}`);
        assert.ok(areFamily(other, first), `${language}: ${other}, ${first}`);
      }
    }
  }
});

test("GRAPH-17: endings, and letters before them, are folded as the words of an index are", () => {
  const stems = ["stemm", "книгаст", "λεξικον", "회의록"];
  for (const [script, { paradigms, whole }] of scripts.entries()) {
    const all = paradigms.flatMap(({ endings, doubling = "", after = "" }) => [
      ...`${endings} ${doubling}`.split(/\s+/).map((ending) => ending.replace("-", "")),
      ...after,
    ]);
    const words = [...all.map((ending) => stems[script] + ending), ...whole.split(/\s+/)];
    for (const word of words) assert.equal(termOf(word), word);
  }
});

test("GRAPH-17: words that only begin alike are not of one family", () => {
  for (const pair of strangers.split("|")) {
    const [one = "", other = ""] = pair.trim().split(/\s+/).map(termOf);
    assert.ok(!areFamily(one, other), `${one}, ${other}`);
    assert.ok(!areFamily(other, one), `${other}, ${one}`);
  }
});

/** Stems with the endings of a script, and with doubled letters; some are whole words. */
const anyWord = fc.oneof(
  ...scripts.map(({ paradigms, whole }, script) => {
    const stems = [
      ["plan", "connect", "gener", "cop", "hal", "authori"],
      ["книг", "реш", "чита", "почт"],
      ["λεξ", "προγραμμα", "γραφ"],
      ["회의", "고양"],
    ][script] as string[];
    const endings = paradigms.flatMap(({ endings, doubling = "" }) => [
      ...endings.split(/\s+/).map((ending) => ending.replace("-", "")),
      ...doubling.split(" ").flatMap((ending) => [`n${ending}`, `t${ending}`]),
    ]);
    return fc
      .tuple(fc.constantFrom(...stems, ...whole.split(/\s+/)), fc.constantFrom(...endings))
      .map(([stem, ending]) => stem + ending);
  }),
  fc.constantFrom("", "a", "new", "v2s", "漢字"),
);

test("GRAPH-17: the forms that a word could have are those that are of its family, in order", () => {
  fc.assert(
    fc.property(anyWord, anyWord, (one, other) => {
      const forms = formsOf(one);
      assert.equal(forms.includes(other), areFamily(one, other), `${one}, ${other}`);
      assert.ok(forms.every((form) => areFamily(form, one) && areFamily(one, form)));
      assert.deepEqual(
        forms,
        [...new Set(forms)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
      );
    }),
    { numRuns: 3000 },
  );
});
