/** The way to generate words of a script. */
interface Script {
  readonly name: string;
  /** Share of titles in this script. */
  readonly share: number;
  /** Letters or syllables that words consist of. */
  readonly units: readonly string[];
  /** Number of units in the most frequent words; rarer words have more. */
  readonly shortest: number;
  /** The separator between words. */
  readonly space: string;
}

const range = (first: number, count: number, step = 1) =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(first + index * step));

const split = (units: string) => units.split(" ");

const latin = split(
  "the pro plan ta ber ling mar é co ni so lu tion re sul ver an den ha fe ü ro mé ti ca gen st or do ña wi ker " +
    "pa ö la me ri tu sch ión bo ne da ção gi fo li no ar ke va ut em ju ze ó ist br ei ac ou",
);
const cyrillic = split(
  "про ект план за да ча ре зуль тат вер сия от чёт ко ман да ни ло ме сто ра бо та ст ый ие но ва",
);
const arabic = split("ال مش رو ع خط ة تق رير فر يق اجت ما عم ل مه ام نت ائج بر نا مج كت اب مد ينة");
const thai = split("การ งาน แผน โครง ประ ชุม ราย ที่ ทีม ผล ข้อ มูล ระ บบ เอก สาร ใหม่ วัน นี้ ความ รู้ คน ไทย");
const emoji = split("🚀 📌 ✅ 🧠 🌍 📚 🎉 🔥 💡 🗂️ 🏠 ☕ 👩‍💻 🇫🇷 ⭐ 🛠️");

/** The scripts of titles. Chinese, Japanese and Thai have no separator between words. */
export const scripts: readonly Script[] = [
  { name: "Latin", share: 0.7, units: latin, shortest: 1, space: " " },
  { name: "Cyrillic", share: 0.1, units: cyrillic, shortest: 2, space: " " },
  { name: "Chinese", share: 0.07, units: range(0x4e00, 2000, 7), shortest: 1, space: "" },
  {
    name: "Japanese",
    share: 0.05,
    units: [...range(0x3042, 70), ...range(0x30a2, 70), ...range(0x5c0f, 600, 11)],
    shortest: 2,
    space: "",
  },
  { name: "Arabic", share: 0.04, units: arabic, shortest: 2, space: " " },
  { name: "Thai", share: 0.03, units: thai, shortest: 1, space: "" },
  { name: "emoji", share: 0.01, units: emoji, shortest: 1, space: "" },
];

export const ornaments = emoji;

/** The `rank`-th most frequent word of a script. Different ranks have different words. */
export function wordOf({ units, shortest }: Script, rank: number): string {
  let length = shortest;
  let words = units.length ** length;
  let left = rank;
  while (left >= words) {
    left -= words;
    length += 1;
    words *= units.length;
  }
  // The factor makes words of adjacent ranks dissimilar. It is a prime that divides no number of words, so words stay distinct.
  let number = (left * 7919) % words;
  let word = "";
  for (let unit = 0; unit < length; unit += 1) {
    word += units[number % units.length] ?? "";
    number = Math.floor(number / units.length);
  }
  return word;
}
