import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fold, foldByUnit } from "./fold.ts";

const alike = (...texts: string[]) => {
  for (const text of texts) assert.equal(fold(text), fold(texts[0] ?? ""), `${text} and ${texts[0]}`);
};

const different = (a: string, b: string) => assert.notEqual(fold(a), fold(b), `${a} and ${b}`);

test("GRAPH-3: case is folded in full", () => {
  alike("Straße", "STRASSE", "strasse", "STRAẞE");
  alike("ΟΔΥΣΣΕΥΣ", "Οδυσσευς", "οδυσσευσ");
  alike("İstanbul", "istanbul", "ISTANBUL", "ıstanbul");
  alike("ПРИВЕТ", "привет");
  alike("ԵՐԵՒԱՆ", "Երևան");
  alike("𐐔𐐯𐑅𐐨𐑉𐐯𐐻", "𐐼𐐯𐑅𐐨𐑉𐐯𐐻");
});

test("GRAPH-3: accents are folded, composed or not", () => {
  alike("Résumé", "resume", "Re\u0301sume\u0301");
  alike("Tiếng Việt", "tieng viet");
  alike("Čeština", "cestina");
  alike("Ώρα", "ωρα");
  alike("ёлка", "елка");
  alike("Смоле\u0301нск", "Смоленск");
});

test("GRAPH-3: letters with a stroke or in a ligature have their plain spelling", () => {
  alike("Łódź", "lodz");
  alike("Smørrebrød", "smorrebrod");
  alike("Œuvre", "oeuvre", "OEUVRE");
  alike("Ægir", "aegir");
  alike("Đà Nẵng", "da nang");
  alike("Þór", "thor");
  alike("oﬃce", "office");
});

test("GRAPH-3: full and half width are equal", () => {
  alike("Ｃｌｅｗ　２", "clew 2");
  alike("ｶﾞｲﾄﾞ", "ガイド");
  alike("株式会社", "㍿");
});

test("GRAPH-3: marks that make another letter stay", () => {
  different("が", "か");
  different("パ", "ハ");
  different("мой", "мои");
  different("їжа", "іжа");
  different("ў", "у");
  different("ќ", "к");
  different("ѓ", "г");
  different("कि", "क");
  different("ป่า", "ปา");
  different("น้ำ", "น้า");
});

test("GRAPH-3: Hebrew and Arabic marks that are usually left out are folded", () => {
  alike("שָׁלוֹם", "שלום");
  alike("مُحَمَّد", "محمد");
  alike("محـــمد", "محمد");
  alike("أحمد", "احمد");
});

test("GRAPH-3: no letter is found within another", () => {
  assert.ok(!fold("가나").includes(fold("ᄀ")));
  assert.ok(!fold("한국").includes(fold("하")));
  assert.ok(!fold("がっこう").includes(fold("か")));
  assert.ok(!fold("мой").includes(fold("и")));
});

test("GRAPH-3: invisible characters, white space and typographic signs make no difference", () => {
  alike("soft\u00adhyphen", "softhyphen");
  alike("❤\ufe0f", "❤");
  alike("می\u200cخواهم", "میخواهم");
  alike(" a\t\n\u00a0 b\u3000", "a b");
  alike("Don’t “wait” — 1–2", 'don\'t "wait" - 1-2');
  assert.equal(fold(" \u200b\ufeff\t"), "");
});

const anyText = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }), fc.string());

test("GRAPH-3: folding twice changes nothing", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const folded = fold(text);
      assert.equal(fold(folded), folded);
    }),
    { numRuns: 1000 },
  );
});

test("GRAPH-3: texts that differ only in case are equal", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      // An iota below a Greek vowel is folded as an accent, although it stands beside its capital.
      fc.pre(!text.normalize("NFD").includes("\u0345"));
      assert.equal(fold(text.toUpperCase()), fold(text));
      assert.equal(fold(text.toLowerCase()), fold(text));
    }),
    { numRuns: 1000 },
  );
});

/** A text folded unit by unit; null if that is not possible. */
function byUnit(text: string): string | null {
  const units = new Uint16Array(text.length);
  const end = foldByUnit(text, units, 0);
  return end < 0 ? null : String.fromCharCode(...units.subarray(0, end));
}

const anyUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));
const anyUnits = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.string({ unit: anyUnit }),
  fc.string({ unit: fc.constantFrom(..." aÉßΣςğﬁ½㍿ｶﾞが한ㄱㅏᄀ아й\u0301\u3099\ud800") }),
);

test("GRAPH-3: a text that can be folded unit by unit comes out the same", () => {
  fc.assert(
    fc.property(anyUnits, (text) => {
      const folded = byUnit(text);
      if (folded !== null) assert.equal(folded, fold(text));
    }),
    { numRuns: 3000 },
  );
});

test("GRAPH-3: a unit that folds by itself does so between any neighbours", () => {
  const independent = Array.from({ length: 0x1_0000 }, (_, unit) => String.fromCharCode(unit)).filter(
    (unit) => byUnit(unit) !== null,
  );
  const pairs = independent.map(
    (unit, index) => unit + (independent[(index * 7919) % independent.length] ?? ""),
  );
  for (const texts of [independent, pairs]) {
    const long = texts.join("");
    assert.equal(byUnit(long), fold(long));
  }
  assert.ok(independent.length > 50_000);
});

test("most titles can be folded unit by unit, in any script", () => {
  for (const title of ["Roadmap 2026", "Résumé", "План работ", "会議メモ", "한국어", "خطة المشروع"]) {
    assert.equal(byUnit(title), fold(title));
  }
  assert.deepEqual(
    ["", " a", "a ", "a  b", "Straße", "a\u0301", "か\u3099"].map(byUnit),
    Array(7).fill(null),
  );
});
