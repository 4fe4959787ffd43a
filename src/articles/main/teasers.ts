/**
 * Drops teasers of other articles. Lists of them repeat: three or more similar neighbours, each with a linked title that
 * leads to another page of the site. Their excerpts are prose, so only their form identifies them.
 */
import type { PageNode } from '../page/page-node.ts'
import { BODY } from './class-names.ts'
import { drop, type SearchState } from './search-state.ts'

const MIN_TEASERS = 3
const MANY_TEASERS = 5
/** Longer ones are sections of a text; an <article> may be longer. */
const MAX_TEASER_CHARS = 500
const MAX_ARTICLE_TEASER_CHARS = 900

export function dropTeasers(state: SearchState): void {
  const titles = linkedTitlesIn(state)
  const outside = headlinesOutside(state)
  if (titles[0] === 0 && outside[0] === 0) return
  const groups = new Map<string, number[]>()
  groupAlike(state, groups)
  for (const group of groups.values()) if (group.length >= MIN_TEASERS) dropTeaserGroup(state, group, titles, outside)
}

function dropTeaserGroup(
  state: SearchState,
  group: readonly number[],
  titles: Uint32Array,
  outside: Uint32Array,
): void {
  const { weights } = state
  const whole = weights.prose[0]!
  const isArticle = state.nodes[group[0]!]!.name === 'article'
  const longest = isArticle ? MAX_ARTICLE_TEASER_CHARS : MAX_TEASER_CHARS
  const isTeaser = (index: number) => titles[index]! > 0 || (isArticle && outside[index]! > 0)
  const teasers = group.filter((index) => isTeaser(index) && weights.size[index]! <= longest)
  if (teasers.length < MIN_TEASERS || teasers.length < 0.6 * group.length) return
  const prose = group.reduce((sum, index) => sum + weights.prose[index]!, 0)
  // articles beside or inside the one with the title are others, however long
  const areOthers = isArticle && state.titleBlock >= 0 && titles[teasers[0]!]! > 0
  if (prose > 0.7 * whole && !areOthers && !isStream(state, group, whole - prose)) return
  // cards that are a large part of the text are its subject
  if (prose > 0.4 * whole && group.length >= MANY_TEASERS && isInBody(state, group[0]!)) return
  for (const index of teasers) drop(state, index)
}

/**
 * Teasers after an article, even a short one. If the article is for subscribers, they may contain more prose than it.
 */
function isStream(
  { isArticle, titleBlock, blocks }: SearchState,
  group: readonly number[],
  restProse: number,
): boolean {
  return (
    isArticle &&
    titleBlock >= 0 &&
    group.length >= MANY_TEASERS &&
    restProse >= MIN_REST_CHARS &&
    group[0]! > blocks[titleBlock]!.home
  )
}

function isInBody({ nodes, nameFlags }: SearchState, index: number): boolean {
  let ancestor = nodes[index]!.parent
  for (let i = 0; i < MAX_ANCESTORS && ancestor > 0; i++) {
    const { attributes, parent } = nodes[ancestor]!
    if ((nameFlags[ancestor]! & BODY) !== 0 || attributes.itemprop?.toLowerCase().includes('articlebody')) return true
    ancestor = parent
  }
  return false
}

const MIN_REST_CHARS = 150
const MAX_ANCESTORS = 12

/**
 * Drops further articles that the page loads while scrolling. Each is an <article> after the one with the title, or a
 * box that begins with its own title and names an author or a date.
 */
export function dropNextArticles(state: SearchState): void {
  const { nodes, blocks, worths, weights, titleBlock, dropped } = state
  if (titleBlock < 0) return
  const ownArticle = enclosingArticle(nodes, blocks[titleBlock]!.home)
  if (ownArticle > 0 && weights.prose[ownArticle]! >= MIN_ARTICLE_CHARS)
    dropArticlesBehind(state, nodes[ownArticle]!.end)
  let proseBefore = 0
  for (let i = titleBlock + 1; i < blocks.length; i++) {
    const { level, home } = blocks[i]!
    if (dropped[home] === 1) continue
    if (level === 1) dropIfNext(state, i, ownArticle, proseBefore >= MIN_ARTICLE_CHARS)
    proseBefore += Math.max(0, worths[i]!)
  }
}

/** `block`: index of a block that may be the next article's title. `ownArticle`: the <article> of the first one. */
function dropIfNext(state: SearchState, block: number, ownArticle: number, isBehindText: boolean): void {
  const { nodes, blocks, titleBlock } = state
  const { home } = blocks[block]!
  const article = home >= nodes[ownArticle]!.end ? enclosingArticle(nodes, home) : 0
  if (article > 0) drop(state, article)
  else if (isBehindText) {
    const box = boxOf(state, block, blocks[titleBlock]!.home)
    if (box > 0 && isSigned(state, box)) drop(state, box)
  }
}

/** With less prose in it, it may be the article's header. */
const MIN_ARTICLE_CHARS = 300

function dropArticlesBehind(state: SearchState, end: number): void {
  const { nodes } = state
  for (let i = end; i < nodes.length; i++) {
    if (nodes[i]!.name !== 'article') continue
    drop(state, i)
    i = nodes[i]!.end - 1
  }
}

/** The largest element that begins with this block, or with a short line before it, and does not hold the title. */
function boxOf({ nodes, blocks }: SearchState, block: number, titleHome: number): number {
  const before = blocks[block - 1]!
  const start = before.size < 40 ? (blocks[block - 2]?.from ?? 0) : before.from
  let box = 0
  for (
    let round = nodes[blocks[block]!.home]!.parent;
    round > Math.max(start, titleHome);
    round = nodes[round]!.parent
  ) {
    box = round
  }
  return box
}

/** Whether it names an author or a date. */
function isSigned({ nodes }: SearchState, box: number): boolean {
  const end = Math.min(nodes[box]!.end, box + NEAR_TITLE)
  for (let i = box + 1; i < end; i++) {
    const { name, attributes } = nodes[i]!
    if (name === 'time' || /author|byline|date/i.test(`${attributes.class ?? ''} ${attributes.itemprop ?? ''}`))
      return true
  }
  return false
}

const NEAR_TITLE = 60

/** The innermost <article> that contains or is a node; 0 for none. */
function enclosingArticle(nodes: readonly PageNode[], index: number): number {
  let round = index
  while (round > 0 && nodes[round]!.name !== 'article') round = nodes[round]!.parent
  return round
}

/** For every element the number of blocks inside that are links to other pages of the site. */
function linkedTitlesIn({ nodes, blocks, entries, host, dropped }: SearchState): Uint32Array {
  const titles = new Uint32Array(nodes.length)
  for (const block of blocks) {
    const { from, home, linkShare, size } = block
    if (linkShare < 0.7 || size < 15 || dropped[from] === 1 || entries.has(block)) continue
    const { link } = nodes[from]!
    if (link > 0 && leadsInside(nodes[link]!.attributes.href ?? '', host)) titles[home]!++
  }
  addUp(nodes, titles)
  return titles
}

/** For each element, the number of headings inside that are only a link, as in news collected from other sites. */
function headlinesOutside({ nodes, blocks, titleBlock, dropped }: SearchState): Uint32Array {
  const headlines = new Uint32Array(nodes.length)
  if (titleBlock < 0) return headlines
  for (let i = titleBlock + 1; i < blocks.length; i++) {
    const { kind, from, home, linkShare, size } = blocks[i]!
    if (kind === 'heading' && linkShare > 0.9 && size >= 10 && dropped[from] === 0) headlines[home]!++
  }
  addUp(nodes, headlines)
  return headlines
}

/** Adds each element's count to its ancestors. */
function addUp(nodes: readonly PageNode[], counts: Uint32Array): void {
  for (let i = nodes.length - 1; i > 0; i--) if (counts[i]! > 0) counts[nodes[i]!.parent]! += counts[i]!
}

/** Whether the link leads to another page of the site. */
export function leadsInside(href: string, host: string | undefined): boolean {
  if (/^(?:#|mailto:|javascript:)/i.test(href)) return false
  if (!/^(?:https?:)?\/\//i.test(href)) return true
  return host !== undefined && href.toLowerCase().includes(host)
}

/** Elements under one parent with the same name and class. */
function groupAlike({ nodes, dropped, weights: { size } }: SearchState, groups: Map<string, number[]>): void {
  for (let i = 1; i < nodes.length; i++) {
    if (size[i] === 0 || dropped[i] === 1 || !REPEATED.has(nodes[i]!.name)) continue
    const key = keyOf(nodes[i]!)
    const group = groups.get(key)
    if (group) group.push(i)
    else groups.set(key, [i])
  }
}

function keyOf({ name, parent, attributes }: PageNode): string {
  return `${parent} ${name} ${firstClass(attributes.class)}`
}

function firstClass(classes: string | undefined): string {
  return classes?.trim().split(/\s+/, 1)[0] ?? ''
}

const REPEATED: ReadonlySet<string> = new Set(['div', 'article', 'section', 'li', 'a', 'td', 'tr', 'dl', 'figure'])
