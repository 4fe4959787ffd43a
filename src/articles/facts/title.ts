/**
 * Finds the title, without the site's name. Pages state it up to five times: for browsers, for sharing, in metadata, and in
 * the visible heading. The heading is right if it agrees with another statement; a heading that agrees with none is the
 * site's or the section's.
 */
import type { FactOrigin, FoundFact } from '../article.ts'
import { normalizeLetters } from '../page/characters.ts'
import { type PagePiece, textInside } from '../page/piece.ts'
import type { PageEvidence } from './evidence.ts'
import { factText } from './fact-text.ts'
import { titleInHeading, trimSeparators } from './heading-parts.ts'

export function findTitle(evidence: PageEvidence, siteName: string | undefined): FoundFact<string> | undefined {
  const { page, metas, linkedData, microdata, address } = evidence
  const site = siteLetters(siteName, address)
  const shown = siteHeadings(evidence)
  for (const name of shown) site.add(name)
  const clean = (title: string) =>
    trimSeparators(withoutSite(behindName(factText(title.slice(0, 4 * LONGEST)), shown), site))
  const stated: FoundFact<string>[] = []
  const state = (value: unknown, from: FactOrigin) => {
    if (typeof value !== 'string') return
    const title = clean(value)
    if (title !== '' && title.length <= LONGEST && !site.has(normalizeLetters(title)))
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
  const others = stated.map(({ value }) => normalizeLetters(value))
  const agreeing = headings.find((heading) => others.some((other) => agree(normalizeLetters(heading), other)))
  const alike = agreeing ?? headings.find((heading) => stated.some(({ value }) => alikeness(heading, value) >= 0.5))
  const heading = alike ?? lonely(headings, evidence, others)
  if (heading !== undefined) return { value: clean(heading), from: 'markup' }
  const isTagAlone = stated.length > 0 && stated.every(({ from }) => from === 'title-tag')
  const lower = isTagAlone ? lowerHeading(evidence, factText(page.titleTag.slice(0, LONGEST))) : undefined
  if (lower !== undefined) return { value: lower, from: 'markup' }
  return stated[0] ?? (headings[0] === undefined ? undefined : { value: headings[0], from: 'markup' })
}

/** The only meaningful heading, though nothing confirms it; unless the stated title matches a lower one. */
function lonely(headings: readonly string[], evidence: PageEvidence, titles: readonly string[]): string | undefined {
  const telling = headings.length === 2 ? headings.filter(hasManyWords) : headings
  const isTelling = telling.length === 1 && telling[0]!.length >= TELLING
  return isTelling && !isHeading(evidence, titles) ? telling[0] : undefined
}

function hasManyWords(heading: string): boolean {
  return wordsOf(heading).size >= 5
}

const LONGEST = 500
const MOST_HEADINGS = 12
/** Shorter unconfirmed headings are names of sections. */
const TELLING = 20

function headingsOf({ page: { pieces, titles } }: PageEvidence, stated: readonly FoundFact<string>[]): string[] {
  const headings: string[] = []
  for (const title of titles) {
    if (headings.length === MOST_HEADINGS) break
    const text = titleInHeading(pieces, title, stated)
    if (normalizeLetters(text).length > 1) headings.push(text)
  }
  return headings
}

/** Headings that name the site, normalized: links to its front page or to a blog's folder, and headings with such a class. */
function siteHeadings({ page: { pieces, titles }, address }: PageEvidence): string[] {
  if (!address || address.pathname === '/') return []
  return titles.slice(0, MOST_HEADINGS).flatMap((title) => {
    const letters = normalizeLetters(textInside(pieces, title, LONGEST))
    if (letters.length < 2) return []
    const { class: names = '', id = '' } = pieces[title]!.attributes
    return SITE_NAMED.test(`${names} ${id}`) || isLinkHome(pieces, title, address) ? [letters] : []
  })
}

/** "Ada's mills: Sold", if a heading shows that "Ada's mills" is the site. */
function behindName(title: string, names: readonly string[]): string {
  const [, name, rest] = (names.length > 0 && /^([^:]{2,80}):\s+(\S.*)$/.exec(title)) || []
  return rest !== undefined && names.includes(normalizeLetters(name!)) ? rest : title
}

const SITE_NAMED = /(?:^|\s)(?:site|blog|brand|logo)[-_]?(?:title|name|logo|header|branding)?(?:$|\s)/i

/** Its whole text is one link, around it or in it, to a parent folder of the page. */
function isLinkHome(pieces: readonly PagePiece[], heading: number, address: URL): boolean {
  let link = pieces[heading]!.link
  for (let i = heading + 1; i < pieces[heading]!.end; i++) {
    const piece = pieces[i]!
    if (piece.name !== '' || !/\S/.test(piece.text)) continue
    if (piece.link === 0 || (link !== 0 && piece.link !== link)) return false
    link = piece.link
  }
  const href = link === 0 ? undefined : pieces[link]!.attributes.href
  const to = href === undefined ? null : URL.parse(href, address.href)
  if (to === null || to.host !== address.host || /^#/.test(href!)) return false
  const folder = to.pathname.replace(/(?:index|default)\.\w{3,5}$/, '')
  return folder.endsWith('/') && address.pathname.startsWith(folder) && address.pathname !== folder && to.search === ''
}

/** A lower heading that is part of a <title> which is the only statement: "Ada's mills: Sold", "Sold - Chapter 1 - ada". */
function lowerHeading({ page: { pieces } }: PageEvidence, tag: string): string | undefined {
  const parts = tag.split(PARTING)
  const letters = new Set(parts.map(normalizeLetters))
  let looked = 0
  for (let i = 1; parts.length > 1 && i < pieces.length && looked < 60; i++) {
    const { name, link, attributes } = pieces[i]!
    if (name !== 'h2' && name !== 'h3') continue
    looked++
    const text = trimSeparators(textInside(pieces, i, LONGEST))
    const own = normalizeLetters(text)
    const isNamed = TITLE_NAMED.test(`${attributes.class ?? ''} ${attributes.itemprop ?? ''}`)
    if (own.length >= (isNamed ? 2 : TELLING) && letters.has(own) && (isNamed || link === 0)) return text
  }
  return undefined
}

const PARTING = /\s*[|｜»«›‹·•]\s*|\s[-–—]\s|:\s|\s\[/
const TITLE_NAMED = /(?:^|\s|[-_])(?:title|headline|name)(?:$|\s)/i

/** Whether one of these is a lower heading on the page. */
function isHeading({ page: { pieces } }: PageEvidence, titles: readonly string[]): boolean {
  let looked = 0
  for (let i = 1; i < pieces.length && looked < 60; i++) {
    if (pieces[i]!.name !== 'h2' && pieces[i]!.name !== 'h3') continue
    looked++
    if (titles.includes(normalizeLetters(textInside(pieces, i, LONGEST)))) return true
  }
  return false
}

/** Equal, or one is a prefix of the other. */
function agree(a: string, b: string): boolean {
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 12 && long.includes(short)
}

/** Shared words divided by the words of the shorter one; characters if there are no spaces. */
function alikeness(a: string, b: string): number {
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
    const isRoom = end < title.length && ROOMS.test(part)
    if (!namesSite(part, site) && !isRoom && !(isOdd && oddParts++ === 0)) break
    end = cut.index
  }
  let start = 0
  for (const cut of cuts) {
    const part = title.slice(start, cut.index)
    if (cut.index >= end || !(namesSite(part, site) || (start > 0 && ROOMS.test(part)))) break
    start = cut.index + cut[0].length
  }
  const rest = title.slice(start, end).trim()
  return rest === '' ? title : rest
}

/** Names of site parts in titles: "Daily Lamp » Blog Archive » Mill sold". */
const ROOMS =
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
function isShort(part: string, rest: string): boolean {
  return part.length <= 30 && rest.length >= 1.5 * part.length && part.trim().split(/\s+/).length <= 4
}
