/**
 * Finds the title, without the site's name. Pages state it up to five times: for browsers, for sharing, in metadata, and in
 * the visible heading. The heading is right if it agrees with another statement; a heading that agrees with none is the
 * site's or the section's.
 */
import type { FactOrigin, FoundFact } from '../article.ts'
import { normalizeLetters } from '../page/characters.ts'
import { type PageNode, textInside } from '../page/page-node.ts'
import type { PageMetadata } from './evidence.ts'
import { factText } from './fact-text.ts'
import { titleInHeading, trimSeparators } from './heading-parts.ts'

export function findTitle(evidence: PageMetadata, siteName: string | undefined): FoundFact<string> | undefined {
  const { page, metas, linkedData, microdata, address } = evidence
  const site = siteLetters(siteName, address)
  const siteHeadingNames = siteHeadings(evidence)
  for (const name of siteHeadingNames) site.add(name)
  const clean = (title: string) =>
    trimSeparators(withoutSite(behindName(factText(title.slice(0, 4 * MAX_TITLE_LENGTH)), siteHeadingNames), site))
  const stated: FoundFact<string>[] = []
  const state = (value: unknown, from: FactOrigin) => {
    if (typeof value !== 'string') return
    const title = clean(value)
    if (title !== '' && title.length <= MAX_TITLE_LENGTH && !site.has(normalizeLetters(title)))
      stated.push({ value: title, from })
  }
  state(metas.first('og:title')?.value, 'opengraph')
  state(linkedData.article?.headline, 'json-ld')
  state(microdata.all('headline')[0], 'microdata')
  state(
    metas.first('twitter:title', 'dc.title', 'dcterms.title', 'parsely-title', 'sailthru.title', 'citation_title')
      ?.value,
    'meta',
  )
  state(page.titleTag, 'title-tag')

  const headings = headingsOf(evidence, stated).filter((heading) => !site.has(normalizeLetters(heading)))
  const statedLetters = stated.map(({ value }) => normalizeLetters(value))
  const agreeing = headings.find((heading) =>
    statedLetters.some((statedTitle) => startAlike(normalizeLetters(heading), statedTitle)),
  )
  const similar = agreeing ?? headings.find((heading) => stated.some(({ value }) => similarity(heading, value) >= 0.5))
  const heading = similar ?? onlyMeaningful(headings, evidence, statedLetters)
  if (heading !== undefined) return { value: clean(heading), from: 'markup' }
  const isTagAlone = stated.length > 0 && stated.every(({ from }) => from === 'title-tag')
  const lower = isTagAlone ? lowerHeading(evidence, factText(page.titleTag.slice(0, MAX_TITLE_LENGTH))) : undefined
  if (lower !== undefined) return { value: lower, from: 'markup' }
  return stated[0] ?? (headings[0] === undefined ? undefined : { value: headings[0], from: 'markup' })
}

/** The only meaningful heading, though nothing confirms it; unless the stated title matches a lower one. */
function onlyMeaningful(
  headings: readonly string[],
  evidence: PageMetadata,
  titles: readonly string[],
): string | undefined {
  const meaningful = headings.length === 2 ? headings.filter(hasManyWords) : headings
  const isMeaningful = meaningful.length === 1 && meaningful[0]!.length >= MEANINGFUL_LENGTH
  return isMeaningful && !isHeading(evidence, titles) ? meaningful[0] : undefined
}

function hasManyWords(heading: string): boolean {
  return wordsOf(heading).size >= 5
}

const MAX_TITLE_LENGTH = 500
const MAX_HEADINGS = 12
/** Shorter unconfirmed headings are names of sections. */
const MEANINGFUL_LENGTH = 20

function headingsOf({ page: { nodes, titles } }: PageMetadata, stated: readonly FoundFact<string>[]): string[] {
  const headings: string[] = []
  for (const title of titles) {
    if (headings.length === MAX_HEADINGS) break
    const text = titleInHeading(nodes, title, stated)
    if (normalizeLetters(text).length > 1) headings.push(text)
  }
  return headings
}

/** Headings that name the site, normalized: links to its front page or to a blog's folder, and headings with such a class. */
function siteHeadings({ page: { nodes, titles }, address }: PageMetadata): string[] {
  if (!address || address.pathname === '/') return []
  return titles.slice(0, MAX_HEADINGS).flatMap((title) => {
    const letters = normalizeLetters(textInside(nodes, title, MAX_TITLE_LENGTH))
    if (letters.length < 2) return []
    const { class: names = '', id = '' } = nodes[title]!.attributes
    return SITE_NAMED.test(`${names} ${id}`) || isLinkHome(nodes, title, address) ? [letters] : []
  })
}

/** "Ada's mills: Sold", if a heading shows that "Ada's mills" is the site. */
function behindName(title: string, names: readonly string[]): string {
  const [, name, remainder] = (names.length > 0 && /^([^:]{2,80}):\s+(\S.*)$/.exec(title)) || []
  return remainder !== undefined && names.includes(normalizeLetters(name!)) ? remainder : title
}

const SITE_NAMED = /(?:^|\s)(?:site|blog|brand|logo)[-_]?(?:title|name|logo|header|branding)?(?:$|\s)/i

/** Its whole text is one link, around it or in it, to a parent folder of the page. */
function isLinkHome(nodes: readonly PageNode[], heading: number, address: URL): boolean {
  let link = nodes[heading]!.link
  for (let i = heading + 1; i < nodes[heading]!.end; i++) {
    const node = nodes[i]!
    if (node.name !== '' || !/\S/.test(node.text)) continue
    if (node.link === 0 || (link !== 0 && node.link !== link)) return false
    link = node.link
  }
  const href = link === 0 ? undefined : nodes[link]!.attributes.href
  const to = href === undefined ? null : URL.parse(href, address.href)
  if (to === null || to.host !== address.host || /^#/.test(href!)) return false
  const folder = to.pathname.replace(/(?:index|default)\.\w{3,5}$/, '')
  return folder.endsWith('/') && address.pathname.startsWith(folder) && address.pathname !== folder && to.search === ''
}

/** A lower heading that is part of a <title> which is the only statement: "Ada's mills: Sold", "Sold - Chapter 1 - ada". */
function lowerHeading({ page: { nodes } }: PageMetadata, tag: string): string | undefined {
  const parts = tag.split(PARTING)
  const letters = new Set(parts.map(normalizeLetters))
  let checked = 0
  for (let i = 1; parts.length > 1 && i < nodes.length && checked < 60; i++) {
    const { name, link, attributes } = nodes[i]!
    if (name !== 'h2' && name !== 'h3') continue
    checked++
    const text = trimSeparators(textInside(nodes, i, MAX_TITLE_LENGTH))
    const ownLetters = normalizeLetters(text)
    const isNamed = TITLE_NAMED.test(`${attributes.class ?? ''} ${attributes.itemprop ?? ''}`)
    if (ownLetters.length >= (isNamed ? 2 : MEANINGFUL_LENGTH) && letters.has(ownLetters) && (isNamed || link === 0))
      return text
  }
  return undefined
}

const PARTING = /\s*[|｜»«›‹·•]\s*|\s[-–—]\s|:\s|\s\[/
const TITLE_NAMED = /(?:^|\s|[-_])(?:title|headline|name)(?:$|\s)/i

/** Whether one of these is a lower heading on the page. */
function isHeading({ page: { nodes } }: PageMetadata, titles: readonly string[]): boolean {
  let checked = 0
  for (let i = 1; i < nodes.length && checked < 60; i++) {
    if (nodes[i]!.name !== 'h2' && nodes[i]!.name !== 'h3') continue
    checked++
    if (titles.includes(normalizeLetters(textInside(nodes, i, MAX_TITLE_LENGTH)))) return true
  }
  return false
}

/** Equal, or one is a prefix of the other. */
function startAlike(a: string, b: string): boolean {
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 12 && long.includes(short)
}

/** Shared words divided by the words of the shorter one; characters if there are no spaces. */
function similarity(a: string, b: string): number {
  const [first, second] = [wordsOf(a), wordsOf(b)]
  const least = Math.min(first.size, second.size)
  if (least < 3) return 0
  let shared = 0
  for (const word of first) if (second.has(word)) shared++
  return shared / Math.max(least, 0.6 * Math.max(first.size, second.size))
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text.toLowerCase().match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}]{2,}/gu) ?? [],
  )
}

/** The site's own names, normalized: its name, its host, the host's first label. */
function siteLetters(siteName: string | undefined, address: URL | undefined): Set<string> {
  const names = new Set<string>()
  if (siteName) names.add(normalizeLetters(siteName))
  if (address) {
    const host = address.hostname.replace(/^www\d?\./, '')
    names.add(normalizeLetters(host))
    const labels = host.split('.')
    for (const label of labels.slice(0, -1))
      if (label.length > 3 || labels.length === 2) names.add(normalizeLetters(label))
  }
  names.delete('')
  return names
}

const SEPARATOR = /\s+(?:[-|–—―‒·•∙●◦▪»«›‹:/\\~>⋆★☆✦✶❖⎪│┃❘∣¦‖→←]+)\s+|\s*[|｜⎪│┃❘¦‖⋆★☆✦❖]\s*|\s*::\s*|_(?=[^_]{2,30}$)/g

/** Without one of these separators there is nothing to cut. */
const SIGNS = /[-|｜–—―‒·•∙●◦▪»«›‹:/\\~>⋆★☆✦✶❖⎪│┃❘∣¦‖→←_]/

/** Removes the parts at either end that name the site. */
function withoutSite(title: string, site: ReadonlySet<string>): string {
  const cuts = SIGNS.test(title) ? [...title.matchAll(SEPARATOR)] : []
  if (cuts.length === 0) return title
  let end = title.length
  let oddParts = 0
  for (let i = cuts.length - 1; i >= 0; i--) {
    const cut = cuts[i]!
    const part = title.slice(cut.index + cut[0].length, end)
    const isOdd = isBar(cut[0]) && isShort(part, title.slice(0, cut.index))
    const isSitePart = end < title.length && SITE_PARTS.test(part)
    if (!namesSite(part, site) && !isSitePart && !(isOdd && oddParts++ === 0)) break
    end = cut.index
  }
  let start = 0
  for (const cut of cuts) {
    const part = title.slice(start, cut.index)
    if (cut.index >= end || !(namesSite(part, site) || (start > 0 && SITE_PARTS.test(part)))) break
    start = cut.index + cut[0].length
  }
  const remainder = title.slice(start, end).trim()
  return remainder === '' ? title : remainder
}

/** Names of site parts in titles: "Daily Lamp » Blog Archive » Mill sold". */
const SITE_PARTS =
  /^\s*(?:(?:the )?blog|blog[- ]archi[vf]e?|archi[vf]e?s?|news|home|startseite|aktuelles|magazin(?:e)?|artikel|articles?|nachrichten|presse|press releases?|actualités?|noticias|notizie|nieuws)\s*$/i

function namesSite(part: string, site: ReadonlySet<string>): boolean {
  const letters = normalizeLetters(part)
  if (letters === '') return true
  const initials = initialsOf(part)
  for (const name of site) {
    if (letters === name || (initials.length >= 3 && initials === name)) return true
    if (letters.length >= 4 && name.length >= 4 && (name.includes(letters) || letters.includes(name))) return true
  }
  return false
}

/** "Farmers Weekly Review" of fwr.example. */
function initialsOf(part: string): string {
  return (part.match(/(?<!\p{L})\p{L}/gu) ?? []).join('').toLowerCase()
}

/** A separator that hardly ever occurs inside a title. */
function isBar(separator: string): boolean {
  return /[|｜_⎪│┃❘∣¦‖⋆★☆✦✶❖•∙●▪»«›‹]|::/.test(separator)
}

/** After a bar, a part that is much shorter than the rest is a section or a name. */
function isShort(part: string, remainder: string): boolean {
  return part.length <= 30 && remainder.length >= 1.5 * part.length && part.trim().split(/\s+/).length <= 4
}
