import type { Random } from "./random.ts";

const latin =
  "river budget review notes plan quarter launch team onboarding design system research customer interview roadmap archive harvest meeting weekly invoice garden lighthouse übersicht straße größe café déjà résumé año niño plan żółty číslo smörgåsbord release security incident policy travel recipe library chapter draft index guide how-to FAQ 2026 v2 API Q3 north south copper linen maple signal thread".split(
    " ",
  );

const others: readonly (readonly string[])[] = [
  "星 宿 河流 计划 会议 记录 产品 设计 研究 季度 预算 图书馆 花园 灯塔".split(" "),
  "ほし 会議 メモ 設計 ロードマップ 図書館 庭 研究 計画 レシピ".split(" "),
  "별 회의 기록 설계 연구 예산 도서관 정원 계획".split(" "),
  "план встреча бюджет заметки река звезда дизайн исследование библиотека сад".split(" "),
  "σχέδιο συνάντηση ποταμός αστέρι κήπος βιβλιοθήκη έρευνα".split(" "),
  "خطة اجتماع ميزانية نهر نجم حديقة مكتبة بحث".split(" "),
  "תוכנית פגישה תקציב נהר כוכב גן ספרייה".split(" "),
  "แผน ประชุม งบประมาณ แม่น้ำ ดาว สวน ห้องสมุด".split(" "),
  "योजना बैठक बजट नदी तारा बगीचा पुस्तकालय".split(" "),
];

/** A title of one to eight words, mostly in Latin letters. */
export function titleOf(random: Random): string {
  const words = random.chance(0.7) ? latin : random.pick(others);
  const length = 1 + Math.floor(8 * random.next() ** 2);
  const title = Array.from({ length }, () => random.pick(words)).join(" ");
  const icon = random.chance(0.02) ? "🚀 " : "";
  return icon + title.charAt(0).toUpperCase() + title.slice(1);
}

/** A sentence of so many words. */
export function sentenceOf(random: Random, length: number): string {
  const words = Array.from({ length }, () => random.pick(latin)).join(" ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** A part of a file's name, in plain letters, made of a title. */
export function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return slug.slice(0, 24).replace(/-$/, "") || "page";
}
