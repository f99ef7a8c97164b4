/*
 * The endings by which the forms of a word differ, script by script. Endings of one paradigm follow the same stem: `navigat`
 * with `e`, `ion` and `ors`. Terms are folded, so endings have no accents. Nobody says which language a term is of: a
 * paradigm of one language is narrow enough not to join words of another.
 */

interface Paradigm {
  /** The fewest letters of a stem. Endings that make new words need longer stems than those that inflect. */
  readonly stem: number;
  /** Separated by spaces; `-` is no ending. */
  readonly endings: string;
  /** The letters that the stem may end with; any if absent. */
  readonly after?: string;
  /** Endings before which the last letter of the stem is doubled: `plan`, `planning`. */
  readonly doubling?: string;
}

export interface Script {
  /** Matches a word of the script. */
  readonly words: RegExp;
  /** The fewest letters of a word that has a family. */
  readonly least: number;
  /** At most 32: sets of them are bit masks. */
  readonly paradigms: readonly Paradigm[];
  /** Beginnings of words that have an ending by chance, as `number` has none of `numb`. They end no earlier. */
  readonly whole: string;
}

const latin: Script = {
  words: /^\p{Script=Latin}+$/u,
  least: 4,
  paradigms: [
    // English inflections.
    { stem: 4, endings: "- s ed ing ings er ers", doubling: "ed ing ings er ers" },
    { stem: 4, endings: "- es ed ing ings er ers", after: "szxho" },
    { stem: 3, endings: "e es ed ing ings er ers" },
    { stem: 3, endings: "y ies ied ying ier iers iest ily iness" },
    { stem: 4, endings: "- ly er est ness ful fully less" },
    { stem: 3, endings: "f ves" },
    { stem: 3, endings: "ex exes ix ixes ices" },
    // English words made of others.
    {
      stem: 5,
      endings: `- s ed ing ings er ers or ors ion ions ive ives ively able ably ability ment ments ation ations al als ally ity
        ities ance ances ant ants ence ences ent ents ency ous ously ness ship ships ful fully less ure ures ible ibly ibility`,
    },
    {
      stem: 5,
      endings: `e es ed ing ings er ers or ors ion ions ional ive ives ively able ably ability ement ements ation ations al als
        ally ity ities ance ances ant ants ence ences ent ents ous ously eness ure ures ible ibly ibility`,
    },
    { stem: 5, endings: "- s or ors ive ical ically al ally ity", after: "cdt" },
    { stem: 4, endings: "- s or ors", after: "it" },
    { stem: 4, endings: "y ies ied ying ier iers ication ications iable icable" },
    {
      stem: 4,
      endings: "y ies ize izes ized izing izer izers ization izations ise ises ised ising isation isations",
    },
    {
      stem: 5,
      endings:
        "- s ize izes ized izing izer izers ization izations ise ises ised ising iser isers isation isations",
    },
    {
      stem: 4,
      endings: "ze zes zed zing zer zers zation zations se ses sed sing ser sers sation sations",
      after: "i",
    },
    { stem: 4, endings: "le ly les led ling ler lers lest ility ilities" },
    { stem: 5, endings: "t ts tly ce ces cy cies", after: "n" },
    { stem: 5, endings: "- s ism isms ist ists istic" },
    { stem: 4, endings: "sis ses se sed sing st sts ze zes zed zing zer zers", after: "y" },
    // German.
    { stem: 6, endings: "- e en er ern es em n s" },
    { stem: 5, endings: "e en er es em" },
    { stem: 5, endings: "- n", after: "e" },
    { stem: 4, endings: "en t te ten ung ungen end" },
    { stem: 5, endings: "- in innen" },
    // French, Spanish, Italian and Portuguese.
    { stem: 5, endings: "er e es ez ent ons ant ait aient era eront" },
    { stem: 5, endings: "eur eurs euse euses rice rices ion ions", after: "t" },
    { stem: 4, endings: "al aux ale ales" },
    { stem: 4, endings: "o a os as" },
    { stem: 5, endings: "ar o a an ado ada ados adas ando acion aciones aron" },
    { stem: 4, endings: "on ones", after: "i" },
    { stem: 4, endings: "ao oes", after: "c" },
    { stem: 5, endings: "o i" },
  ],
  whole: `admiral adventure author authori banner butter center communi complicat conversat corner counter currency
    customer decaden department differ director easter emergenc evening external factor flower former foundation
    general generat generic generous hammer hardly hospital importan instance instant internal lateral letter likely
    manner master matter nearly number organi partner priority proper quarter question replicat respective responsib
    sector several shower successi successor summer supple temper tender universal universe universit virtual`,
};

const cyrillic: Script = {
  words: /^\p{Script=Cyrillic}+$/u,
  least: 4,
  paradigms: [
    // Nouns: hard stems, those after which и stands for ы, and soft ones.
    { stem: 3, endings: "- а у ом е ы ов ам ами ах о ой ою" },
    { stem: 3, endings: "- а у ом ем е и ов ей ам ами ах о ой ою ью", after: "гкхжшщч" },
    { stem: 3, endings: "- а у ом ем е ы ов ев ам ами ах ей", after: "ц" },
    { stem: 3, endings: "й ь я ю ем е и ей ев ям ями ях ью" },
    { stem: 3, endings: "я ю е й ем ям ями ях ей и", after: "и" },
    { stem: 3, endings: "- а у ом і ів ам ами ах о ою" },
    { stem: 3, endings: "я ю ї єю й ям ями ях є", after: "іи" },
    { stem: 4, endings: "ість ості істю" },
    { stem: 4, endings: "- ът а та то те ите ят ята" },
    // Adjectives.
    {
      stem: 3,
      endings: "ый ий ой ая яя ое ее ые ие ого его ому ему ым им ом ем ую юю ых их ыми ими ою ею о а ы",
    },
    { stem: 3, endings: "ий а е і ого ому им ій ою у их ими ою о" },
    // Verbs and what is made of them.
    {
      stem: 3,
      after: "аеиоуыяі",
      endings: `ть л ла ло ли ю ет ют ем ете ешь й йте ться лся лась лось лись ется ются ющий ющая ющее ющие ющих вший вшая вшие
        нный нная нное нные нных нного ние ния нию нием ний ниям ниями ниях ти в є ємо ють ння нню нням`,
    },
    {
      stem: 3,
      endings: `ить ил ила ило или ит ят ат им ите ишь и ю у ь ьте иться ился илась илось ились ится ятся ив ивший ение ения
        ению ением ений ениям ениями ениях енный енная енное енные енных енного ен ена ено ены ити ення енню`,
    },
    {
      stem: 4,
      after: "бвмпф",
      endings:
        "ить ил ила или ит ят лять ляет ляют лял ляла ляли ление ления лению лением лений лен лена лено лены ленный ленная ленные",
    },
  ],
  whole: "почти словар",
};

const greek: Script = {
  words: /^\p{Script=Greek}+$/u,
  least: 4,
  paradigms: [
    { stem: 3, endings: "οσ ου ο ε οι ων ουσ" },
    { stem: 3, endings: "ο ου α ων" },
    { stem: 3, endings: "α ασ εσ ων" },
    { stem: 3, endings: "η ησ εσ ων εισ εων εωσ" },
    { stem: 3, endings: "ι ιου ια ιων" },
    { stem: 3, endings: "ησ η εσ ων" },
    { stem: 3, endings: "ασ α εσ ων" },
    { stem: 4, endings: "- τοσ τα των", after: "α" },
    { stem: 4, endings: "οσ η ο οι εσ α ου ησ ασ ων ουσ" },
    { stem: 3, endings: "ω εισ ει ουμε ετε ουν ουνε ομαι εσαι εται ομαστε ονται" },
  ],
  whole: "",
};

/** Particles, also after the plural `들`. */
const particles = `이 가 은 는 을 를 의 에 에서 에게 에게서 에는 에도 에서는 에서도 에서의 와 과 로 으로 로서 으로서 로써 으로써 로는 으로는 로의
  으로의 로도 으로도 도 만 만을 만이 부터 까지 까지의 마다 처럼 보다 께 께서 한테 이나 나 이란 란 이라 라 이라는 라는 이라고 라고 이며 이고 입니다 이다 인 들`;

const hangul: Script = {
  words: /^\p{Script=Hangul}+$/u,
  least: 2,
  paradigms: [
    {
      stem: 2,
      endings: `- ${particles} ${particles
        .trim()
        .split(/\s+/)
        .map((particle) => `들${particle}`)
        .join(" ")}`,
    },
    {
      stem: 2,
      endings: `- 하다 하는 하고 하여 하면 하지 하기 하며 하게 하도록 한 한다 할 함 해 해서 해야 했다 했고 합니다 했습니다 하세요 되다 되는 되고
        되어 되면 되지 되며 된 된다 될 됨 돼 됐다 되었다 됩니다 되었습니다`,
    },
  ],
  whole: "고양이 어린이",
};

export const scripts: readonly Script[] = [latin, cyrillic, greek, hangul];
