import { integer, pick, type Random, seededRandom } from "../random.ts";

/** The shape of a generated workspace. */
export interface WorkspaceShape {
  /** The same seed and shape generate the same files. */
  readonly seed: number;
  /** The number of pages, including database rows but not databases. At least 10. */
  readonly pages: number;
  /** The share of pages that are rows, 0.35 by default. */
  readonly rowShare?: number;
  /** The rows of the largest database; about a third of all rows by default. */
  readonly largestDatabase?: number;
  /** The share of rows with relations to others, 0.5 by default. */
  readonly relationShare?: number;
  /** The average number of links and mentions in a page's text, 2 by default. */
  readonly linksPerPage?: number;
}

/** A page or database to write. */
export interface Planned {
  readonly kind: "page" | "row" | "database";
  readonly title: string;
  readonly id: string;
  /** The path of its folder, or of its file (without extension) if it has no children. */
  readonly path: string;
  /** 1 at the top. */
  readonly depth: number;
  readonly parent: Planned | null;
  hasChildren: boolean;
  /** Only of a database: the target of its relation. */
  related: Planned | null;
  readonly rows: Planned[];
}

/** The pages and databases of a generated workspace, parents before their children. */
export interface Outline {
  readonly pages: readonly Planned[];
  readonly rows: readonly Planned[];
  readonly databases: readonly Planned[];
}

/** Plans the tree: top-level pages with three to nine levels below each, and databases inside these trees. */
export function planOutline(shape: WorkspaceShape): Outline {
  const random = seededRandom(shape.seed);
  const rowCount = Math.min(
    shape.pages - 5,
    Math.max(Math.round(shape.pages * (shape.rowShare ?? 0.35)), shape.largestDatabase ?? 0),
  );
  const pages = planPages(random, shape.pages - rowCount);
  const sizes = databaseSizes(rowCount, shape.largestDatabase ?? Math.ceil(rowCount / 3));
  // A row is two levels below the page that contains its database.
  const containers = pages.filter(({ depth }) => depth <= 7);
  const databases = sizes.map(() => plan(random, "database", pick(random, containers)));
  for (const database of databases) {
    database.hasChildren = true;
    database.related = pick(random, databases);
  }
  const rows = databases.flatMap((database, index) => {
    const size = sizes[index] ?? 0;
    for (let count = 0; count < size; count += 1) database.rows.push(plan(random, "row", database));
    return database.rows;
  });
  return { pages, rows, databases };
}

/** Adds pages to random trees, sometimes below the deepest page so that each tree reaches its depth. */
function planPages(random: Random, count: number): Planned[] {
  const topCount = Math.min(count, 40, Math.max(2, Math.round(count ** 0.35)));
  const trees = Array.from({ length: topCount }, () => {
    const top = plan(random, "page", null);
    return { deepest: integer(random, 3, 9), growing: [top], last: top };
  });
  const pages = trees.map(({ last }) => last);
  while (pages.length < count) {
    const tree = pick(random, trees);
    const parent = random() < 0.2 && tree.last.depth < tree.deepest ? tree.last : pick(random, tree.growing);
    const page = plan(random, "page", parent);
    if (page.depth < tree.deepest) tree.growing.push(page);
    if (page.depth >= tree.last.depth) tree.last = page;
    pages.push(page);
  }
  return pages;
}

/** One large database, and many small ones. */
function databaseSizes(rows: number, largest: number): number[] {
  if (rows === 0) return [];
  const sizes = [Math.min(rows, largest)];
  for (let left = rows - Math.min(rows, largest); left > 0; ) {
    const size = Math.min(left, 10 + ((sizes.length * 37) % 120));
    sizes.push(size);
    left -= size;
  }
  return sizes;
}

function plan(random: Random, kind: Planned["kind"], parent: Planned | null): Planned {
  const title = titleOf(random);
  const id = uuidOf(random);
  // Paths must be unique, and titles are not.
  const name = `${slugOf(title)}-${id.slice(0, 8)}`;
  if (parent !== null) parent.hasChildren = true;
  return {
    kind,
    title,
    id,
    path: parent === null ? name : `${parent.path}/${name}`,
    depth: (parent?.depth ?? 0) + 1,
    parent,
    hasChildren: false,
    related: null,
    rows: [],
  };
}

/** A random UUID (version 4, RFC 9562). */
function uuidOf(random: Random): string {
  const hex = (digits: number) =>
    Math.floor(random() * 16 ** digits)
      .toString(16)
      .padStart(digits, "0");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${pick(random, ["8", "9", "a", "b"])}${hex(3)}-${hex(6)}${hex(6)}`;
}

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
function titleOf(random: Random): string {
  const words = random() < 0.7 ? latin : pick(random, others);
  const length = 1 + Math.floor(8 * random() ** 2);
  const title = Array.from({ length }, () => pick(random, words)).join(" ");
  const icon = random() < 0.02 ? "🚀 " : "";
  return icon + title.charAt(0).toUpperCase() + title.slice(1);
}

/** A sentence with this many words. */
export function sentenceOf(random: Random, length: number): string {
  const words = Array.from({ length }, () => pick(random, latin)).join(" ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** A title as part of a file name: lowercase ASCII letters and digits. */
function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return slug.slice(0, 24).replace(/-$/, "") || "page";
}
