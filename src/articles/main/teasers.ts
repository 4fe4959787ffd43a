/**
 * Drops teasers of other articles. Lists of them repeat: three or more similar neighbours, each with a linked title that
 * leads to another page of the site. Their excerpts are prose, so only their form identifies them.
 */
import type { PagePiece } from '../page/piece.ts'
import { BODY } from './class-names.ts'
import { drop, type SearchState } from './search-state.ts'

const FEWEST = 3
const MANY = 5
/** Longer ones are sections of a text; an <article> may be longer. */
const LONGEST = 500
const LONGEST_ARTICLE = 900

export function dropTeasers(scene: SearchState): void {
  const titles = linkedTitlesIn(scene)
  const outside = headlinesOutside(scene)
  if (titles[0] === 0 && outside[0] === 0) return
  const groups = new Map<string, number[]>()
  groupAlike(scene, groups)
  for (const group of groups.values()) if (group.length >= FEWEST) dropAlike(scene, group, titles, outside)
}

function dropAlike(scene: SearchState, group: readonly number[], titles: Uint32Array, outside: Uint32Array): void {
  const { weights } = scene
  const whole = weights.prose[0]!
  const isArticle = scene.pieces[group[0]!]!.name === 'article'
  const longest = isArticle ? LONGEST_ARTICLE : LONGEST
  const isTeaser = (index: number) => titles[index]! > 0 || (isArticle && outside[index]! > 0)
  const alike = group.filter((index) => isTeaser(index) && weights.size[index]! <= longest)
  if (alike.length < FEWEST || alike.length < 0.6 * group.length) return
  const prose = group.reduce((sum, index) => sum + weights.prose[index]!, 0)
  // articles beside or inside the one with the title are others, however long
  const areOthers = isArticle && scene.titlePlace >= 0 && titles[alike[0]!]! > 0
  if (prose > 0.7 * whole && !areOthers && !isStream(scene, group, whole - prose)) return
  // cards that are a large part of the text are its subject
  if (prose > 0.4 * whole && group.length >= MANY && isInBody(scene, group[0]!)) return
  for (const index of alike) drop(scene, index)
}

/** Behind an article, however short it is: others for those who read on. They are more prose than it where it is for subscribers. */
function isStream({ isArticle, titlePlace, blocks }: SearchState, group: readonly number[], rest: number): boolean {
  return (
    isArticle &&
    titlePlace >= 0 &&
    group.length >= MANY &&
    rest >= SHORTEST_REST &&
    group[0]! > blocks[titlePlace]!.home
  )
}

function isInBody({ pieces, said }: SearchState, index: number): boolean {
  let round = pieces[index]!.parent
  for (let i = 0; i < MOST_ROUND && round > 0; i++) {
    const { attributes, parent } = pieces[round]!
    if ((said[round]! & BODY) !== 0 || attributes.itemprop?.toLowerCase().includes('articlebody')) return true
    round = parent
  }
  return false
}

const SHORTEST_REST = 150
const MOST_ROUND = 12

/**
 * Pages that go on with the next article while one scrolls. Each has an <article> behind the one that has the title, or a box
 * of its own that begins with a title of its own and says who wrote it or when.
 */
export function dropNextArticles(scene: SearchState): void {
  const { pieces, blocks, worths, weights, titlePlace, dropped } = scene
  if (titlePlace < 0) return
  const own = articleRound(pieces, blocks[titlePlace]!.home)
  if (own > 0 && weights.prose[own]! >= SHORTEST_ARTICLE) dropArticlesBehind(scene, pieces[own]!.end)
  let proseBefore = 0
  for (let i = titlePlace + 1; i < blocks.length; i++) {
    const { level, home } = blocks[i]!
    if (dropped[home] === 1) continue
    if (level === 1) dropIfNext(scene, i, own, proseBefore >= SHORTEST_ARTICLE)
    proseBefore += Math.max(0, worths[i]!)
  }
}

/** `place`: of a block that may be the next one's title; `own`: the <article> of the first one's. */
function dropIfNext(scene: SearchState, place: number, own: number, isBehindText: boolean): void {
  const { pieces, blocks, titlePlace } = scene
  const { home } = blocks[place]!
  const article = home >= pieces[own]!.end ? articleRound(pieces, home) : 0
  if (article > 0) drop(scene, article)
  else if (isBehindText) {
    const box = boxOf(scene, place, blocks[titlePlace]!.home)
    if (box > 0 && isSigned(scene, box)) drop(scene, box)
  }
}

/** With less prose in it, it may be the article's header. */
const SHORTEST_ARTICLE = 300

function dropArticlesBehind(scene: SearchState, end: number): void {
  const { pieces } = scene
  for (let i = end; i < pieces.length; i++) {
    if (pieces[i]!.name !== 'article') continue
    drop(scene, i)
    i = pieces[i]!.end - 1
  }
}

/** The largest element that begins with this block, or with a short line before it, and does not hold the title. */
function boxOf({ pieces, blocks }: SearchState, place: number, titleHome: number): number {
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
function isSigned({ pieces }: SearchState, box: number): boolean {
  const end = Math.min(pieces[box]!.end, box + NEAR_TITLE)
  for (let i = box + 1; i < end; i++) {
    const { name, attributes } = pieces[i]!
    if (name === 'time' || /author|byline|date/i.test(`${attributes.class ?? ''} ${attributes.itemprop ?? ''}`))
      return true
  }
  return false
}

const NEAR_TITLE = 60

/** The innermost <article> that a piece is in, or is; 0 for none. */
function articleRound(pieces: readonly PagePiece[], index: number): number {
  let round = index
  while (round > 0 && pieces[round]!.name !== 'article') round = pieces[round]!.parent
  return round
}

/** For every element the number of blocks inside that are links to other pages of the site. */
function linkedTitlesIn({ pieces, blocks, entries, host, dropped }: SearchState): Uint32Array {
  const titles = new Uint32Array(pieces.length)
  for (const block of blocks) {
    const { from, home, linkShare, size } = block
    if (linkShare < 0.7 || size < 15 || dropped[from] === 1 || entries.has(block)) continue
    const { link } = pieces[from]!
    if (link > 0 && leadsInside(pieces[link]!.attributes.href ?? '', host)) titles[home]!++
  }
  addUp(pieces, titles)
  return titles
}

/** For every element the number of headings inside that are nothing but a link: of collected news to other sites. */
function headlinesOutside({ pieces, blocks, titlePlace, dropped }: SearchState): Uint32Array {
  const headlines = new Uint32Array(pieces.length)
  if (titlePlace < 0) return headlines
  for (let i = titlePlace + 1; i < blocks.length; i++) {
    const { kind, from, home, linkShare, size } = blocks[i]!
    if (kind === 'heading' && linkShare > 0.9 && size >= 10 && dropped[from] === 0) headlines[home]!++
  }
  addUp(pieces, headlines)
  return headlines
}

/** What was counted in an element was counted in all that are round it. */
function addUp(pieces: readonly PagePiece[], counts: Uint32Array): void {
  for (let i = pieces.length - 1; i > 0; i--) if (counts[i]! > 0) counts[pieces[i]!.parent]! += counts[i]!
}

/** To another page of the site. */
export function leadsInside(href: string, host: string | undefined): boolean {
  if (/^(?:#|mailto:|javascript:)/i.test(href)) return false
  if (!/^(?:https?:)?\/\//i.test(href)) return true
  return host !== undefined && href.toLowerCase().includes(host)
}

/** Elements under one parent with the same name and class. */
function groupAlike({ pieces, dropped, weights: { size } }: SearchState, groups: Map<string, number[]>): void {
  for (let i = 1; i < pieces.length; i++) {
    if (size[i] === 0 || dropped[i] === 1 || !REPEATED.has(pieces[i]!.name)) continue
    const key = keyOf(pieces[i]!)
    const group = groups.get(key)
    if (group) group.push(i)
    else groups.set(key, [i])
  }
}

function keyOf({ name, parent, attributes }: PagePiece): string {
  return `${parent} ${name} ${firstClass(attributes.class)}`
}

function firstClass(classes: string | undefined): string {
  return classes?.trim().split(/\s+/, 1)[0] ?? ''
}

const REPEATED: ReadonlySet<string> = new Set(['div', 'article', 'section', 'li', 'a', 'td', 'tr', 'dl', 'figure'])
