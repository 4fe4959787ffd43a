/**
 * Other articles on the page. Lists of them repeat: three or more neighbours built alike, each with a linked title that
 * leads to another page of the same site. Their excerpts are prose, so that nothing but their form gives them away.
 */
import type { PagePiece } from '../page/piece.ts'
import { BODY } from './names.ts'
import { drop, type ElementWeights, type Scene } from './scene.ts'
import { weigh } from './weights.ts'

const FEWEST = 3
const MANY = 5
/** Longer ones are sections of a text; an <article> may be longer. */
const LONGEST = 500
const LONGEST_ARTICLE = 900

export function dropTeasers(scene: Scene): void {
  const weights = weigh(scene)
  const titles = linkedTitlesIn(scene)
  const outside = headlinesOutside(scene)
  const whole = weights.prose[0]!
  for (const group of groupsOf(scene, weights)) {
    const isArticle = scene.pieces[group[0]!]!.name === 'article'
    const longest = isArticle ? LONGEST_ARTICLE : LONGEST
    const isTeaser = (index: number) => titles[index]! > 0 || (isArticle && outside[index]! > 0)
    const alike = group.filter((index) => isTeaser(index) && weights.size[index]! <= longest)
    if (alike.length < FEWEST || alike.length < 0.6 * group.length) continue
    const prose = group.reduce((sum, index) => sum + weights.prose[index]!, 0)
    // Articles beside or inside the one that has the title are others, however much they say.
    const areOthers = isArticle && scene.titlePlace !== undefined && titles[alike[0]!]! > 0
    if (prose > 0.7 * whole && !areOthers) continue
    // Cards that make up much of what is named the text are what the text is about.
    if (prose > 0.4 * whole && group.length >= MANY && isInBody(scene, group[0]!)) continue
    for (const index of alike) drop(scene, index)
  }
}

function isInBody({ pieces, names }: Scene, index: number): boolean {
  let round = pieces[index]!.parent
  for (let i = 0; i < MOST_ROUND && round > 0; i++) {
    const { attributes, parent } = pieces[round]!
    if ((names(attributes) & BODY) !== 0 || attributes.itemprop?.toLowerCase().includes('articlebody')) return true
    round = parent
  }
  return false
}

const MOST_ROUND = 12

/**
 * Pages that go on with the next article while one scrolls. Each has an <article> behind the one that has the title, or a box
 * of its own that begins with a title of its own and says who wrote it or when.
 */
export function dropNextArticles(scene: Scene): void {
  const { pieces, blocks, titlePlace, dropped } = scene
  if (titlePlace === undefined) return
  const articles = articlesRound(pieces)
  const { home: titleHome } = blocks[titlePlace]!
  const own = articles[titleHome]!
  if (own > 0 && weigh(scene).prose[own]! >= SHORTEST_ARTICLE) dropArticlesBehind(scene, pieces[own]!.end)
  let proseBefore = 0
  for (let i = titlePlace + 1; i < blocks.length; i++) {
    const { level, home } = blocks[i]!
    if (dropped[home] === 1) continue
    if (level === 1 && home >= pieces[own]!.end && articles[home]! > 0) drop(scene, articles[home]!)
    else if (level === 1 && proseBefore >= SHORTEST_ARTICLE) {
      const box = boxOf(scene, i, titleHome)
      if (box > 0 && isSigned(scene, box)) drop(scene, box)
    }
    proseBefore += Math.max(0, scene.worths[i]!)
  }
}

/** With less prose in it, it may be the article's header. */
const SHORTEST_ARTICLE = 300

function dropArticlesBehind(scene: Scene, end: number): void {
  const { pieces } = scene
  for (let i = end; i < pieces.length; i++) {
    if (pieces[i]!.name !== 'article') continue
    drop(scene, i)
    i = pieces[i]!.end - 1
  }
}

/** The largest element that begins with this block, or with a short line before it, and does not hold the title. */
function boxOf({ pieces, blocks }: Scene, place: number, titleHome: number): number {
  const before = blocks[place - 1]!
  const start = before.size < 40 ? (blocks[place - 2]?.from ?? 0) : before.from
  let box = 0
  for (
    let round = pieces[blocks[place]!.home]!.parent;
    round > Math.max(start, titleHome);
    round = pieces[round]!.parent
  ) {
    box = round
  }
  return box
}

/** It says who wrote it, or when. */
function isSigned({ pieces }: Scene, box: number): boolean {
  const end = Math.min(pieces[box]!.end, box + NEAR_TITLE)
  for (let i = box + 1; i < end; i++) {
    const { name, attributes } = pieces[i]!
    if (name === 'time' || /author|byline|date/i.test(`${attributes.class ?? ''} ${attributes.itemprop ?? ''}`))
      return true
  }
  return false
}

const NEAR_TITLE = 60

/** For every piece the innermost <article> that it is in; 0 for none. */
function articlesRound(pieces: readonly PagePiece[]): Int32Array {
  const articles = new Int32Array(pieces.length)
  for (let i = 1; i < pieces.length; i++) {
    articles[i] = pieces[i]!.name === 'article' ? i : articles[pieces[i]!.parent]!
  }
  return articles
}

/** For every element the number of blocks inside that are links to other pages of the site. */
function linkedTitlesIn({ pieces, blocks, entries, host, dropped }: Scene): Uint32Array {
  const titles = new Uint32Array(pieces.length)
  for (const block of blocks) {
    const { from, home, linkShare, size } = block
    if (linkShare < 0.7 || size < 15 || dropped[from] === 1 || entries.has(block)) continue
    const { link } = pieces[from]!
    if (link > 0 && leadsInside(pieces[link]!.attributes.href ?? '', host)) titles[home]!++
  }
  for (let i = pieces.length - 1; i > 0; i--) if (titles[i]! > 0) titles[pieces[i]!.parent]! += titles[i]!
  return titles
}

/** For every element the number of headings inside that are nothing but a link: of collected news to other sites. */
function headlinesOutside({ pieces, blocks, titlePlace, dropped }: Scene): Uint32Array {
  const headlines = new Uint32Array(pieces.length)
  if (titlePlace === undefined) return headlines
  for (const [i, { kind, from, home, linkShare, size }] of blocks.entries()) {
    if (i > titlePlace && kind === 'heading' && linkShare > 0.9 && size >= 10 && dropped[from] === 0) headlines[home]!++
  }
  for (let i = pieces.length - 1; i > 0; i--) {
    if (headlines[i]! > 0) headlines[pieces[i]!.parent]! += headlines[i]!
  }
  return headlines
}

/** To another page of the site. */
export function leadsInside(href: string, host: string | undefined): boolean {
  if (/^(?:#|mailto:|javascript:)/i.test(href)) return false
  if (!/^(?:https?:)?\/\//i.test(href)) return true
  return host !== undefined && href.toLowerCase().includes(host)
}

function groupsOf(scene: Scene, weights: ElementWeights): number[][] {
  return [...alikeIn(scene, weights).values()].filter((group) => group.length >= FEWEST)
}

/** Elements under one parent with the same name and class. */
function alikeIn({ pieces, dropped }: Scene, { size }: ElementWeights): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (let i = 1; i < pieces.length; i++) {
    const { name, parent, attributes } = pieces[i]!
    if (size[i] === 0 || dropped[i] === 1 || !REPEATED.has(name)) continue
    const key = `${parent} ${name} ${firstClass(attributes.class)}`
    const group = groups.get(key)
    if (group) group.push(i)
    else groups.set(key, [i])
  }
  return groups
}

function firstClass(classes: string | undefined): string {
  return classes?.trim().split(/\s+/, 1)[0] ?? ''
}

const REPEATED: ReadonlySet<string> = new Set(['div', 'article', 'section', 'li', 'a', 'td', 'tr', 'dl', 'figure'])
