/**
 * A realistic vault and its expected graph, both written by hand and independent of the tested code. A path names a page by
 * its file, or by the folder whose page it is.
 */
export interface OddPage {
  readonly text: string;
  readonly title: string;
  /** Aliases by which search finds the page. */
  readonly aliases?: readonly string[];
  /** Its parent; by default the file's folder. */
  readonly folder?: string;
  /** `mention` or `link`, the target's path, and the count if it is not one. */
  readonly to?: readonly string[];
  /** `mention` or `link`, and the text of an unresolved reference; the first text if several have the same target. */
  readonly nowhere?: readonly string[];
}

const page = (title: string, text = "", rest: Omit<OddPage, "title" | "text"> = {}): OddPage => ({
  title,
  text,
  ...rest,
});

/** Names of every kind, each found as written. */
const names: Record<string, OddPage> = {
  "Home.md": page(
    "Home",
    "[[T - TODO]] [[2022.12.03]] [[@kepano]] [[🗂️ People]] [[ملاحظات]] [[思维导图]] [[a.b.c]] [[100% sure]]",
    {
      to: [
        "mention Inbox/T - TODO.md",
        "mention Inbox/2022.12.03.md",
        "mention People/@kepano.md",
        "mention 🗂️ People.md",
        "mention rtl/ملاحظات.md",
        "mention 中文/思维导图.md",
        "mention Inbox/a.b.c.md",
        "mention Inbox/100% sure.md",
      ],
    },
  ),
  "Inbox/T - TODO.md": page("T - TODO", "[[t - todo]] and [[Home]]", {
    to: ["mention Inbox/T - TODO.md", "mention Home.md"],
  }),
  "Inbox/YT - How to use it.md": page(
    "How to use it, with examples",
    "# How to use it, with examples\n\n[[Home]]",
    {
      aliases: ["YT - How to use it"],
      to: ["mention Home.md"],
    },
  ),
  "Inbox/2022.12.03.md": page("2022.12.03", "⏱[[2022-12-03]]20:33", { to: ["mention Daily/2022-12-03.md"] }),
  "Inbox/a.b.c.md": page("a.b.c", "[x](2022.12.03.md) [x](2022.12.03) [x](a.b.c)", {
    to: ["link Inbox/2022.12.03.md ×2", "link Inbox/a.b.c.md"],
  }),
  "Inbox/100% sure.md": page("100% sure", "[x](100%25%20sure.md) [x](<100% sure.md>)", {
    to: ["link Inbox/100% sure.md ×2"],
  }),
  "Inbox/build-a_server.md": page("build-a_server", "[[Build-A_Server]]", {
    to: ["mention Inbox/build-a_server.md"],
  }),
  "Inbox/-dash first.md": page("-dash first", "[[-dash first]]", { to: ["mention Inbox/-dash first.md"] }),
  "Inbox/__init__.md": page("__init__", "[[__init__]] `[[Home]]`", { to: ["mention Inbox/__init__.md"] }),
  "Inbox/it's (draft), v2!.md": page(
    "it's (draft), v2!",
    "[x](<it's (draft), v2!.md>) [x](it's%20(draft),%20v2!)",
    {
      to: ["link Inbox/it's (draft), v2!.md ×2"],
    },
  ),
  "Inbox/a & b = c + d.md": page("a & b = c + d", "[[A & B = C + D]]", {
    to: ["mention Inbox/a & b = c + d.md"],
  }),
  "Inbox/what $ and ~ and ;.md": page("what $ and ~ and ;"),
  "Inbox/dots....md": page("dots...", "[[dots...]]", { to: ["mention Inbox/dots....md"] }),
  "Inbox/note.md.md": page("note.md", "[x](note.md.md)", { to: ["link Inbox/note.md.md"] }),
  "Inbox/UPPER.MD": page("UPPER", "[[upper]]", { to: ["mention Inbox/UPPER.MD"] }),
  "Inbox/0.md": page("0", "[[0]] [[00]]", { to: ["mention Inbox/0.md"], nowhere: ["mention 00"] }),
  "Inbox/index of things.md": page("index of things"),
  "People/@kepano.md": page("Steph (@kepano)", "# Steph (@kepano)\n\nWrites.", { aliases: ["@kepano"] }),
  "People/madx.md": page("François (@koleir)", "# François (@koleir)\n[[@kepano]]", {
    aliases: ["madx"],
    to: ["mention People/@kepano.md"],
  }),
  "People/michael.md": page("Michael <mail@example.org>", "# Michael <mail@example.org>\n", {
    aliases: ["michael"],
  }),
  "People/site.md": page("See <https://example.org/a>", "# See <https://example.org/a>", {
    aliases: ["site"],
  }),
  "🗂️ People.md": page("🗂️ People", "[[madx]] [[michael]] ![[site]]", {
    to: ["mention People/madx.md", "mention People/michael.md", "mention People/site.md"],
  }),
  "👩‍🚀.md": page("👩‍🚀", "[[👩‍🚀]] [[🗂️ People|crew]]", { to: ["mention 👩‍🚀.md", "mention 🗂️ People.md"] }),
  "emoji/🍀🍀.md": page("🍀🍀", "[🍀](🍀🍀.md)", { to: ["link emoji/🍀🍀.md"] }),
  "emoji/tail 🐟.md": page("tail 🐟", "[[🍀🍀]] [[TAIL 🐟]]", {
    to: ["mention emoji/🍀🍀.md", "mention emoji/tail 🐟.md"],
  }),
  "rtl/ملاحظات.md": page("ملاحظات", "انظر [[שלום]] و[هنا](שלום.md)", {
    to: ["mention rtl/שלום.md", "link rtl/שלום.md"],
  }),
  "rtl/שלום.md": page("שלום", "[[ملاحظات|ملف]] [[لا أحد]]", {
    to: ["mention rtl/ملاحظات.md"],
    nowhere: ["mention لا أحد"],
  }),
  "rtl/יומן 2022-01.md": page("יומן 2022-01", "[[יומן 2022-01]]", { to: ["mention rtl/יומן 2022-01.md"] }),
  "中文/思维导图.md": page("思维导图", "[[花园]]和[[导览|园]]", {
    to: ["mention 中文/花园", "mention 中文/导览.md"],
  }),
  "思维导图/leaf.md": page("leaf", "[[思维导图]]", { to: ["mention 中文/思维导图.md"] }),
  "中文/导览.md": page("花园导览", "# 花园导览\n[[冬の大三角]]", {
    aliases: ["导览"],
    to: ["mention 中文/冬の大三角.md"],
  }),
  "中文/冬の大三角.md": page("冬の大三角", "[[ｆｕｌｌ]]", { nowhere: ["mention ｆｕｌｌ"] }),
  "accents/Cafe\u0301.md": page("Café", "[[Café]] [[CAFÉ]] [x](Caf%C3%A9.md)", {
    to: ["mention accents/Café.md ×2", "link accents/Café.md"],
  }),
  "accents/Ünïcode.md": page("Ünïcode", "[[U\u0308ni\u0308code]] [[Cafe]]", {
    to: ["mention accents/Ünïcode.md"],
    nowhere: ["mention Cafe"],
  }),
  "accents/Straße.md": page("Straße", "[[straße]] [[Strasse]]", {
    to: ["mention accents/Straße.md"],
    nowhere: ["mention Strasse"],
  }),
  "accents/ἀρχή.md": page("ἀρχή", "[[ἀρχή]]", { to: ["mention accents/ἀρχή.md"] }),
  "accents/Ёлка.md": page("Ёлка", "[[ёлка]]", { to: ["mention accents/Ёлка.md"] }),
};

/** One note per day, linked to the day before. */
const days: Record<string, OddPage> = Object.fromEntries(
  Array.from({ length: 31 }, (_, index) => {
    const day = (number: number) => `2022-12-${String(number).padStart(2, "0")}`;
    const before = index === 0 ? "2022-11-30" : day(index);
    return [
      `Daily/${day(index + 1)}.md`,
      page(day(index + 1), `← [[${before}]] | [[Home]]`, {
        to: ["mention Home.md", ...(index === 0 ? [] : [`mention Daily/${before}.md`])],
        nowhere: index === 0 ? ["mention 2022-11-30"] : [],
      }),
    ];
  }),
);

/** Headings that are titles, and headings that are not. */
const titles: Record<string, OddPage> = {
  "Titles/first heading.md": page("The Heading", "\n\n# The Heading\ntext", { aliases: ["first heading"] }),
  "Titles/late heading.md": page("late heading", "text\n\n# This note in GitHub\n"),
  "Titles/footer.md": page("footer", "- a\n- b\n\n---\n# This note in GitHub\n"),
  "Titles/second level.md": page("second level", "## Second\n# First\n"),
  "Titles/quoted heading.md": page("quoted heading", "> # Quoted\n"),
  "Titles/fenced.md": page("fenced", "```\n# Code\n```\n# Not first\n"),
  "Titles/indented.md": page("indented", "    # Code\n"),
  "Titles/underlined.md": page("Underlined", "Underlined\n==========\n", {}),
  "Titles/comment.md": page("After a comment", "<!-- # no -->\n# After a comment", { aliases: ["comment"] }),
  "Titles/comment only.md": page("comment only", "<!--\n# no\n-->\n"),
  "Titles/matter wins.md": page("Front", "---\ntitle: Front\n---\n# Heading\n", { aliases: ["matter wins"] }),
  "Titles/matter number.md": page("2001", "---\ntitle: 2001\n---\n", { aliases: ["matter number"] }),
  "Titles/matter empty.md": page("Heading here", "---\ntitle:\n---\n# Heading here", {
    aliases: ["matter empty"],
  }),
  "Titles/template.md": page("{{title}}", "# {{title}}\n", { aliases: ["template"] }),
  "Titles/no space.md": page("no space", "#tag first\n"),
  "Titles/closed.md": page("Closed heading", "# Closed heading ##\n", { aliases: ["closed"] }),
  "Titles/styled.md": page("Bold and code here", "# **Bold** and `code` _here_\n", { aliases: ["styled"] }),
  "Titles/linked.md": page("See Home and there", "# See [[Home]] and [there](../Home.md)\n", {
    aliases: ["linked"],
    to: ["mention Home.md", "link Home.md"],
  }),
  "Titles/empty heading.md": page("empty heading", "#\n\ntext"),
  "Titles/empty.md": page("empty", ""),
  "Titles/blank.md": page("blank", " \n\t\n\n"),
  "Titles/imports.mdx": page("After imports", 'import X from "./x.js";\n\n# After imports\n', {
    aliases: ["imports"],
  }),
  "Titles/same.md": page("Same", "# Same\n"),
  "Titles/by title.md": page(
    "by title",
    "[[The Heading]] [[Front]] [[first heading]] [[This note in GitHub]]",
    {
      to: ["mention Titles/first heading.md ×2", "mention Titles/matter wins.md"],
      nowhere: ["mention This note in GitHub"],
    },
  ),
};

/** Names in front matter. */
const aliases: Record<string, OddPage> = {
  "Alias/one.md": page("one", "---\nalias: Uno\n---\n", { aliases: ["Uno"] }),
  "Alias/list.md": page("list", "---\naliases: [Dos, Deux]\n---\n[[uno]]", {
    aliases: ["Dos", "Deux"],
    to: ["mention Alias/one.md"],
  }),
  "Alias/lines.md": page("lines", '---\naliases:\n  - Tres\n  -\n  - ""\n  - 3\n---\n[[DEUX]] [[3]]', {
    aliases: ["Tres", "3"],
    to: ["mention Alias/list.md", "mention Alias/lines.md"],
  }),
  "Alias/null.md": page("null", "---\naliases:\n---\n[[Tres|three]]", { to: ["mention Alias/lines.md"] }),
  "Alias/empty list.md": page("empty list", "---\naliases: [null]\ntags: [null]\n---\n"),
  "Alias/with comma.md": page("with comma", "---\nalias: Doe, Jane\n---\n[[Doe, Jane]]", {
    aliases: ["Doe, Jane"],
    to: ["mention Alias/with comma.md"],
  }),
  "Alias/own name.md": page("own name", "---\naliases: [Own Name, own name]\n---\n"),
  "Alias/capital.md": page("capital", "---\nAliases: Cap\n---\n[[cap]]", {
    aliases: ["Cap"],
    to: ["mention Alias/capital.md"],
  }),
  "Alias/titled.md": page("A title", "---\ntitle: A title\naliases: [A title, Another]\n---\n", {
    aliases: ["titled", "Another"],
  }),
  "Alias/file before alias.md": page("file before alias", "---\nalias: shadow\n---\n[[shadow]]", {
    aliases: ["shadow"],
    to: ["mention Alias/far/shadow.md"],
  }),
  "Alias/far/shadow.md": page("shadow", "[[another]] [x](Another) [[Another]]", {
    to: ["mention Alias/titled.md ×2"],
    nowhere: ["link x"],
  }),
  "Alias/title before alias.md": page("title before alias", "---\nalias: The Heading\n---\n[[The Heading]]", {
    aliases: ["The Heading"],
    to: ["mention Titles/first heading.md"],
  }),
};

/** Several notes with one name. */
const doubles: Record<string, OddPage> = {
  "Twice.md": page("Twice", "[[twice]] [[sub/Twice]] [[b/TWICE]]", {
    to: ["mention Twice.md", "mention Double/a/sub/Twice.md", "mention Double/b/twice.md"],
  }),
  "Double/a/sub/Twice.md": page("Twice", "[[Twice]] [[./Twice]]", {
    to: ["mention Twice.md", "mention Double/a/sub/Twice.md"],
  }),
  "Double/b/twice.md": page("twice", "[[../a/sub/Twice]] [x](twice.md) [x](Twice.md)", {
    // The path from the root of the vault comes first, also in a Markdown link.
    to: ["mention Double/a/sub/Twice.md", "link Twice.md ×2"],
  }),
  "Double/a/Plan.md": page("Plan", "[[plan]]", { to: ["mention Double/a/Plan.md"] }),
  "Double/b/plan.md": page("plan", "[[Plan]]", { to: ["mention Double/b/plan.md"] }),
  "Double/c/PLAN.md": page("PLAN", "[[PlAn]]", { to: ["mention Double/c/PLAN.md"] }),
  "Double/reader.md": page("reader", "[[Plan]] [[plan]] [[PLAN]] [[c/plan]] [x](plan.md)", {
    to: [
      "mention Double/a/Plan.md",
      "mention Double/b/plan.md",
      "mention Double/c/PLAN.md ×2",
      "link Double/b/plan.md",
    ],
  }),
  "Double/deep/deep/x.md": page("x", "[[x]]", { to: ["mention Double/deep/deep/x.md"] }),
  "Double/quite long/x.md": page("x", "[[X]]", { to: ["mention Double/quite long/x.md"] }),
  "Double/shortest.md": page("shortest", "[[x]] [[deep/x]]", {
    to: ["mention Double/deep/deep/x.md ×2"],
  }),
  "Double/both.md": page("both", "[[both]] [x](both) [x](both/)", {
    to: ["mention Double/both.md", "link Double/both.md", "link Double/both"],
  }),
  "Double/both/leaf.md": page("leaf", "[[Double/both]] [[leaf]]", {
    to: ["mention Double/both.md", "mention Double/both/leaf.md"],
  }),
  "Double/kind.md": page("kind md", "---\ntitle: kind md\n---\n[x](kind.md) [x](kind.mdx) [[kind]]", {
    aliases: ["kind"],
    to: ["link Double/kind.md", "link Double/kind.mdx", "mention Double/kind.md"],
  }),
  "Double/kind.mdx": page("kind mdx", "---\ntitle: kind mdx\n---\n", { aliases: ["kind"] }),
};

/** Folders with a page of their own, and those without. */
const folders: Record<string, OddPage> = {
  "🍀 Garden/🍀 Garden.md": page("🍀 Garden", "[[Rose]] [[🍀 Garden]]", {
    folder: "",
    to: ["mention 🍀 Garden/Rose.md", "mention 🍀 Garden"],
  }),
  "🍀 Garden/Rose.md": page("Rose", "[[🍀 garden]] [up](.) [x](<🍀 Garden.md>)", {
    to: ["mention 🍀 Garden", "link 🍀 Garden ×2"],
  }),
  "中文/花园/花园.md": page("花园", "[[玫瑰]]", { folder: "中文", to: ["mention 中文/花园/玫瑰.md"] }),
  "中文/花园/玫瑰.md": page("玫瑰"),
  "Indexed/index.md": page("All of it", "# All of it\n[[Leaf one]]", {
    aliases: ["Indexed"],
    folder: "",
    to: ["mention Indexed/Leaf one.md"],
  }),
  "Indexed/Leaf one.md": page(
    "Leaf one",
    "[[Indexed]] [[All of it]] [[Indexed/index]] [x](index.md) [x](./)",
    {
      to: ["mention Indexed ×3", "link Indexed ×2"],
    },
  ),
  "Read/README.md": page("Read", "See [it](Leaf two.md), [it](<Leaf two.md>).", {
    folder: "",
    to: ["link Read/Leaf two.md"],
  }),
  "Read/Leaf two.md": page("Leaf two", "[[README]] [[read]]", { to: ["mention Read ×2"] }),
  "Noted/index.md": page("Noted", "[[Noted]]", { folder: "", to: ["mention Noted/noted.md"] }),
  "Noted/noted.md": page("noted", "[[index]]", { to: ["mention Noted"] }),
  "Bare/one/two/Deep leaf.md": page("Deep leaf", "[[Bare]] [[two]] [x](..) [x](../../) [x](/Bare)", {
    to: ["mention Bare", "mention Bare/one/two", "link Bare/one", "link Bare ×2"],
  }),
  "Bare/Sibling.md": page("Sibling", "[[one/two/Deep leaf]] [[two/deep LEAF]] [[e/two/Deep leaf]]", {
    to: ["mention Bare/one/two/Deep leaf.md ×2"],
    nowhere: ["mention e/two/Deep leaf"],
  }),
  "Attachments/pictures.md": page(
    "pictures",
    "![[scan.png]] ![[scan.png|300]] [[Notes.pdf]] [x](scan.png) [x](./art/) ![x](gone.png) [x](Notes.pdf)",
  ),
  "Attachments/missing.md": page("missing", "![[gone.png]] [x](gone.pdf) ![[Nobody knows]]", {
    nowhere: ["mention gone.png", "link x", "mention Nobody knows"],
  }),
};

/** A Hugo site. */
const hugo: Record<string, OddPage> = {
  "content/_index.md": page("The site", "---\ntitle: The site\n---\n[x](docs/) [x](/posts/)", {
    aliases: ["content"],
    folder: "",
    to: ["link content/docs", "link content/posts"],
  }),
  "content/docs/_index.md": page("Docs", "---\ntitle: Docs\nweight: 1\n---\n[x](start/) [x](./concepts/)", {
    folder: "content",
    to: ["link content/docs/start.md", "link content/docs/concepts"],
  }),
  "content/docs/start.md": page(
    "Getting started",
    "---\ntitle: Getting started\n---\n[x](../concepts/) [x](../concepts/nodes/)",
    {
      aliases: ["start"],
      to: ["link content/docs/concepts", "link content/docs/concepts/nodes.md"],
    },
  ),
  "content/docs/concepts/_index.md": page(
    "Concepts",
    "---\ntitle: Concepts\n---\n[x](nodes/) [x](../start/)",
    {
      folder: "content/docs",
      to: ["link content/docs/concepts/nodes.md", "link content/docs/start.md"],
    },
  ),
  "content/docs/concepts/nodes.md": page(
    "Nodes",
    "---\ntitle: Nodes\n---\n[x](../edges/) [x](../edges/#kinds) [x](../../start/) [x](../lost/)",
    { to: ["link content/docs/concepts/edges.md ×2", "link content/docs/start.md"], nowhere: ["link x"] },
  ),
  "content/docs/concepts/edges.md": page(
    "Edges",
    '---\ntitle: Edges\n---\n[x]({{< relref "nodes.md" >}}) [x]({{% relref "/docs/start" %}}) [x]({{< ref "gone.md" >}})',
    { to: ["link content/docs/concepts/nodes.md", "link content/docs/start.md"], nowhere: ["link x"] },
  ),
  "content/docs/bundle/index.md": page("Bundle", "---\ntitle: Bundle\n---\n[x](../start/) [p](map.svg)", {
    folder: "content/docs",
    to: ["link content/docs/start.md"],
  }),
  "content/docs/Tasks/_index.html.md": page("_index.html", "", {}),
  "content/docs/Tasks/one.md": page(
    "one",
    "[x](/docs/concepts/) [x](/docs/concepts/nodes/#a) [x](/docs/none/)",
    {
      to: ["link content/docs/concepts", "link content/docs/concepts/nodes.md"],
      nowhere: ["link x"],
    },
  ),
  "content/posts/_index.md": page("Posts", "---\ntitle: Posts\n---\n", { folder: "content" }),
  "content/posts/2022-01-01-hello.md": page(
    "Hello",
    '---\ntitle: "Hello"\n---\n[x](../2022-02-02-again/) [a][r]\n\n[r]: {{< relref "2022-02-02-again" >}}\n',
    { aliases: ["2022-01-01-hello"], to: ["link content/posts/2022-02-02-again.md ×2"] },
  ),
  "content/posts/2022-02-02-again.md": page(
    "Again",
    '---\ntitle: Again\n---\n<a href="{{< ref "2022-01-01-hello.md#end" >}}">x</a> `{{< ref "x" >}}`',
    { aliases: ["2022-02-02-again"], to: ["link content/posts/2022-01-01-hello.md"] },
  ),
};

/** Front matter of every kind. */
const matter: Record<string, OddPage> = {
  "Matter/broken.md": page("broken", "---\ntags: @kepano\ntitle: x: y: z\n---\n[[Home]]", {
    to: ["mention Home.md"],
  }),
  "Matter/broken list.md": page("Its heading", "---\naliases: [a, b\n---\n# Its heading\n", {
    aliases: ["broken list"],
  }),
  "Matter/tabs.md": page("tabs", "---\nkey:\n\t- a\n---\ntext"),
  "Matter/twice a key.md": page("twice a key", "---\na: 1\na: 2\n---\ntext"),
  "Matter/scalar.md": page("scalar", "---\njust words\n---\n[[Home]]", { to: ["mention Home.md"] }),
  "Matter/rule.md": page("rule", "---\n\n# Not first\n"),
  "Matter/empty.md": page("Then a heading", "---\n---\n# Then a heading\n", { aliases: ["empty"] }),
  "Matter/unclosed.md": page("unclosed", "---\ntitle: T\n\n[[Home]]", { to: ["mention Home.md"] }),
  "Matter/dots.md": page("Dotted", "---\ntitle: Dotted\n...\ntext", { aliases: ["dots"] }),
  "Matter/bom.md": page("Marked", "\ufeff---\ntitle: Marked\n---\ntext", { aliases: ["bom"] }),
  "Matter/windows.md": page("Ends", "---\r\ntitle: Ends\r\n---\r\n[[Home]]\r\n", {
    aliases: ["windows"],
    to: ["mention Home.md"],
  }),
  "Matter/date.md": page("2022-01-02", "---\ntitle: 2022-01-02\n---\n", { aliases: ["date"] }),
  "Matter/list title.md": page("list title", "---\ntitle: [a, b]\n---\n"),
  "Matter/long title.md": page("two lines", "---\ntitle: >\n  two\n  lines\n---\n", {
    aliases: ["long title"],
  }),
  "Matter/links.md": page("links", '---\nup: "[[Home]]"\nsee: "[x](../Home.md)"\n---\n', {
    to: ["mention Home.md", "link Home.md"],
  }),
  "Matter/code.md": page("code", "`[[Home]]` ```[[Home]]```\n\n    [[Home]]\n\n~~~\n[x](../Home.md)\n~~~\n"),
  "Matter/elsewhere.md": page(
    "elsewhere",
    "[x](https://example.org) [x](mailto:a@example.org) [x](#part) [[#part]] [x](//host/x) <https://example.org> [x]()",
  ),
  "Matter/escaped.md": page("escaped", "\\[[Home]] \\[x](../Home.md) [[ ]] [[]]"),
  "Matter/table.md": page("table", "| a | b |\n| - | - |\n| [[Home\\|home]] | [x](../Home.md) |", {
    to: ["mention Home.md", "link Home.md"],
  }),
  "Matter/parts.md": page(
    "parts",
    "[[Home#Part]] [[Home^block]] [[Home#a#b|words]] [x](../Home.md#part) ![[Home#Part]]",
    {
      to: ["mention Home.md ×4", "link Home.md"],
    },
  ),
  "Matter/html.md": page(
    "html",
    '<a href="../Home.md">x</a> <details><summary>s</summary>\n\n[[Home]]\n\n</details>',
    {
      to: ["link Home.md", "mention Home.md"],
    },
  ),
};

/** Unresolved links, which keep their text. */
const nowhere: Record<string, OddPage> = {
  "Nowhere/wiki.md": page("wiki", "[[Nobody]] [[Nobody|they]] [[Nobody/else]] ![[Nobody]]", {
    nowhere: ["mention Nobody ×3", "mention Nobody/else"],
  }),
  "Nowhere/links.md": page("links", "[a](gone.md) [b](./gone) [c](/gone/there) [d](../../up.md) [e](gone/)", {
    nowhere: ["link a ×2", "link c", "link d", "link e"],
  }),
  "Nowhere/glued.md": page("glued", "before[[Nobody]]after, ⏱[[1999-01-01]]20:33", {
    nowhere: ["mention Nobody", "mention 1999-01-01"],
  }),
  "Nowhere/odd.md": page("odd", "[a](%zz.md) [[no\u00a0where]] [[../up]]", {
    nowhere: ["link a", "mention no where", "mention ../up"],
  }),
  "Nowhere/reference.md": page("reference", "[a][r]\n\n[r]: gone.md\n", { nowhere: ["link a"] }),
};

/** Further pages, each with a link to the next in another notation. */
const filler: Record<string, OddPage> = {
  "Zettel/202201010900 Alpha.md": page("202201010900 Alpha", "[[202201010901 Beta]]", {
    to: ["mention Zettel/202201010901 Beta.md"],
  }),
  "Zettel/202201010901 Beta.md": page("202201010901 Beta", "[x](<202201010902 Gamma.md>)", {
    to: ["link Zettel/202201010902 Gamma.md"],
  }),
  "Zettel/202201010902 Gamma.md": page("202201010902 Gamma", "[x](202201010903%20Delta)", {
    to: ["link Zettel/202201010903 Delta.md"],
  }),
  "Zettel/202201010903 Delta.md": page("202201010903 Delta", "[[Zettel/202201010904 Epsilon.md]]", {
    to: ["mention Zettel/202201010904 Epsilon.md"],
  }),
  "Zettel/202201010904 Epsilon.md": page("202201010904 Epsilon", "[[/Zettel/202201010905 Zeta]]", {
    to: ["mention Zettel/202201010905 Zeta.md"],
  }),
  "Zettel/202201010905 Zeta.md": page("202201010905 Zeta", "[x](/Zettel/202201010906%20Eta.md)", {
    to: ["link Zettel/202201010906 Eta.md"],
  }),
  "Zettel/202201010906 Eta.md": page("202201010906 Eta", "[x](../Zettel/202201010907%20Theta.md)", {
    to: ["link Zettel/202201010907 Theta.md"],
  }),
  "Zettel/202201010907 Theta.md": page("202201010907 Theta", "[[202201010908 iota]]", {
    to: ["mention Zettel/202201010908 Iota.md"],
  }),
  "Zettel/202201010908 Iota.md": page("202201010908 Iota", "[[./202201010909 Kappa]]", {
    to: ["mention Zettel/202201010909 Kappa.md"],
  }),
  "Zettel/202201010909 Kappa.md": page("202201010909 Kappa", "> [!note]\n> ![[202201010910 Lambda#^a1]]", {
    to: ["mention Zettel/202201010910 Lambda.md"],
  }),
  "Zettel/202201010910 Lambda.md": page(
    "202201010910 Lambda",
    "- [ ] [[202201010911 Mu]]\n  - **[[202201010911 Mu]]**",
    {
      to: ["mention Zettel/202201010911 Mu.md ×2"],
    },
  ),
  "Zettel/202201010911 Mu.md": page("202201010911 Mu", "text[^1]\n\n[^1]: [[202201010912 Nu]]", {
    to: ["mention Zettel/202201010912 Nu.md"],
  }),
  "Zettel/202201010912 Nu.md": page("202201010912 Nu", "## [[202201010913 Xi]]", {
    to: ["mention Zettel/202201010913 Xi.md"],
  }),
  "Zettel/202201010913 Xi.md": page("202201010913 Xi", "[a][b]\n\n[b]: <202201010914 Omicron.md>", {
    to: ["link Zettel/202201010914 Omicron.md"],
  }),
  "Zettel/202201010914 Omicron.md": page("202201010914 Omicron", "[[202201010900 Alpha|back]] to the start", {
    to: ["mention Zettel/202201010900 Alpha.md"],
  }),
};

/** Names and texts that often cause errors. */
const marks: Record<string, OddPage> = {
  "Marks/F# notes.md": page("F# notes", "[[F# notes]] [x](F%23%20notes.md)", {
    to: ["link Marks/F# notes.md"],
    nowhere: ["mention F# notes"],
  }),
  "Marks/[draft] plan.md": page("[draft] plan", "[x](%5Bdraft%5D%20plan.md) [x](<[draft] plan.md>)", {
    to: ["link Marks/[draft] plan.md ×2"],
  }),
  "Marks/really?.md": page("really?", "[x](really%3F.md) [[really?]] [x](really?a=1)", {
    to: ["link Marks/really?.md", "mention Marks/really?.md"],
    nowhere: ["link x"],
  }),
  'Marks/"quoted".md': page('"quoted"', '[["quoted"]]', { to: ['mention Marks/"quoted".md'] }),
  "Marks/<angle>.md": page("<angle>", "[x](%3Cangle%3E.md)", { to: ["link Marks/<angle>.md"] }),
  "Marks/*star* _low_.md": page("*star* _low_", "[[*star* _low_]]", {
    to: ["mention Marks/*star* _low_.md"],
  }),
  "Marks/tick`s.md": page("tick`s", "[[tick`s]]", { to: ["mention Marks/tick`s.md"] }),
  "Marks/math.md": page("math", "$$\n[[Home]]\n$$\n\ninline $x$ [[Home]]", { to: ["mention Home.md"] }),
  "Marks/template.md": page("template", "<% tp.file.title %> {{date}} [[{{link}}]]", {
    nowhere: ["mention {{link}}"],
  }),
  "Marks/comment.md": page("comment", "<!-- [[Home]] --> [[Home|h]]", { to: ["mention Home.md"] }),
  "Marks/many.md": page("many", "[[Home]], ".repeat(40), { to: ["mention Home.md ×40"] }),
  [`Marks/${"long ".repeat(40).trim()}.md`]: page("long ".repeat(40).trim(), "[[Home]]", {
    to: ["mention Home.md"],
  }),
};

/** Rows of a database. */
const rows: Record<string, OddPage> = {
  "Books/_database.yml": page(
    "Library",
    "title: Library\nproperties:\n  Author: { type: relation, database: ../Authors }\n",
    { aliases: ["Books"], folder: "" },
  ),
  "Books/Dune - Messiah.md": page(
    "Dune - Messiah",
    "---\nAuthor: ['[[Frank]]']\n---\n[[Library]] [[Books]]",
    {
      to: ["relation Authors/fh.md", "mention Books ×2"],
    },
  ),
  "Books/emma.md": page("Emma", "---\ntitle: Emma\nAuthor: ../Authors/ja.md\n---\n[[dune - messiah]]", {
    to: ["relation Authors/ja.md", "mention Books/Dune - Messiah.md"],
  }),
  "Authors/_database.yml": page("Authors", "{}", { folder: "" }),
  "Authors/authors.md": page("authors", "[[Authors]]", { to: ["mention Authors/authors.md"] }),
  "Authors/fh.md": page("Frank Herbert", "---\ntitle: Frank Herbert\nalias: Frank\n---\n", {
    aliases: ["fh", "Frank"],
  }),
  "Authors/ja.md": page("Jane Austen", "---\ntitle: Jane Austen\n---\n[[Emma]]", {
    aliases: ["ja"],
    to: ["mention Books/emma.md"],
  }),
};

/** The files that become pages or databases. */
export const oddPages: Readonly<Record<string, OddPage>> = {
  ...names,
  ...days,
  ...titles,
  ...aliases,
  ...doubles,
  ...folders,
  ...hugo,
  ...matter,
  ...nowhere,
  ...filler,
  ...marks,
  ...rows,
};

/** Folders that become pages without a text. */
export const bareFolders: readonly string[] = [
  "Inbox",
  "People",
  "emoji",
  "rtl",
  "中文",
  "思维导图",
  "accents",
  "Daily",
  "Titles",
  "Alias",
  "Alias/far",
  "Double",
  "Double/a",
  "Double/a/sub",
  "Double/b",
  "Double/c",
  "Double/deep",
  "Double/deep/deep",
  "Double/quite long",
  "Double/both",
  "Bare",
  "Bare/one",
  "Bare/one/two",
  "Attachments",
  "content/docs/Tasks",
  "Marks",
  "Matter",
  "Nowhere",
  "Zettel",
];

/** Files that do not become pages. */
export const otherFiles: readonly string[] = [
  "Attachments/art/scan.png",
  "Attachments/art/Notes.pdf",
  "content/docs/bundle/map.svg",
  ".obsidian/app.json",
  ".trash/Home.md",
];

/** Files whose front matter cannot be used. */
export const unusable: readonly string[] = [
  "Matter/broken list.md",
  "Matter/broken.md",
  "Matter/scalar.md",
  "Matter/tabs.md",
  "Matter/twice a key.md",
];
