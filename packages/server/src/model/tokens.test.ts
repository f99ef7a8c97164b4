import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { countTokens, tokensPerUnit } from "./tokens.ts";

const scripts: Readonly<Record<string, string>> = {
  English:
    "The scripts, tools and corpora are documented below; see the appendix for an overview of all settings.",
  Chinese: "木星是太阳系中最大的行星，也是自太阳向外的第五颗行星。它的质量为太阳系其他行星质量总和的2.5倍。",
  "traditional Chinese": "木星是太陽系中最大的行星，擁有大紅斑與眾多衛星，觀測歷史悠久，龜鱉龍鳳。",
  Japanese:
    "木星は太陽系の惑星であり、内側から五番目に位置する。大赤斑と呼ばれる巨大な嵐が数百年続いている。",
  Korean: "목성은 태양계에서 가장 큰 행성이며 태양에서 다섯 번째로 가까운 행성이다.",
  Thai: "ดาวพฤหัสบดีเป็นดาวเคราะห์ดวงที่ห้าจากดวงอาทิตย์และเป็นดาวเคราะห์ที่ใหญ่ที่สุดในระบบสุริยะ",
  Arabic: "المشتري هو أكبر كوكب في المجموعة الشمسية وخامس كوكب بعدا عن الشمس",
  Hindi: "बृहस्पति सौर मंडल का सबसे बड़ा ग्रह है और सूर्य से पाँचवाँ ग्रह है।",
  Russian: "Юпитер — крупнейшая планета Солнечной системы, пятая по удалённости от Солнца.",
  Amharic: "ጁፒተር በፀሐይ ሥርዓት ውስጥ ትልቁ ፕላኔት ነው።",
  Tibetan: "ཕུར་བུ་ནི་ཉི་མའི་ཁྱིམ་གྱི་གཟའ་ཆེན་པོ་ཡིན།",
  Polish: "Jowisz jest największą planetą Układu Słonecznego, źródło żółtych chmur.",
  Hawaiian: "Hōkūleʻa ʻO ka hōkū o ka leʻa, kūpuna, Māui, Kānehūnāmoku",
  emoji: "🪐🌌🔭✨👩‍🚀👨‍👩‍👧‍👦🏳️‍🌈🇩🇪🇹🇭👍🏽🤷🏿‍♀️⚛️☄️🛰️ 🪐 Jupiter 🌕 Moon ✅ ❌ 📄 🗂️",
  "short ids": "[8dd2c1fe] [11247c37] [a0b1c2d3] [deadbeef] [0f9e8d7c]",
  ids: "8dd2c1fe-11ab-4c37-a0b1-c2d3deadbeef 11247c3711ab4c37a0b1c2d3deadbeef",
  JSON: '{"items":[{"node":{"id":"8dd2c1fe-11ab-4c37-a0b1-c2d3deadbeef","degree":{"in":18,"out":12}}}]}',
  table: "| Name | Mass | Moons |\n|---|---|---|\n| Jupiter | 317.8 | 95 |\n| Saturn | 95.2 | 146 |\n",
};

/** The count of the tokenizer alone. */
const exact = (text: string) => encode(text, { disallowedSpecial: new Set() }).length;

test("AGT-2: a text has as many tokens as o200k_base makes of it, in any script", () => {
  for (const [name, text] of Object.entries(scripts)) assert.equal(countTokens(text), exact(text), name);
  assert.equal(countTokens("<|endoftext|>"), exact("<|endoftext|>"));
  assert.equal(countTokens(""), 0);
});

test("AGT-2: the count of tokens is never below o200k_base, and long runs count by their bytes at once", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.constantFrom("木", "ཕ", "x", "!", " "),
      fc.nat(300),
      (some, unit, length) => {
        const text = `${some}${unit.repeat(length)}${some}`.toWellFormed();
        const tokens = countTokens(text);
        assert.ok(
          tokens >= exact(text) && tokens <= tokensPerUnit * text.length,
          `${tokens} and ${exact(text)}`,
        );
      },
    ),
  );
  assert.equal(countTokens("木".repeat(1_000_000)), 3_000_000);
});
