/**
 * Finds the authors: names only, each once. Metadata states them in several places; readers see them in a line near the
 * title, which is recognized by its markup (rel, a link to an author's page, a class name) or by its first word.
 */
import type { FactOrigin, FoundFact } from '../article.ts'
import type { Block } from '../main/blocks.ts'
import { normalizeLetters } from '../page/characters.ts'
import { bylines, isWholeName, signatures, wholeBylines } from './byline.ts'
import type { PageEvidence } from './evidence.ts'
import { factText } from './fact-text.ts'
import { type Node, typeOf } from './json-ld.ts'
import { isHandle, isJobTitle, isOrganization } from './non-names.ts'
import { parseName, parseNames } from './person-name.ts'

/** `lines`: those near the title; `blocks`: all; `titlePiece`: the index of the title. */
export function findAuthors(
  evidence: PageEvidence,
  siteName: string | undefined,
  lines: readonly Block[],
  blocks: readonly Block[],
  titlePiece: number,
): FoundFact<string[]> | undefined {
  const isSite = siteJudge(siteName, evidence)
  let nobody: FoundFact<string[]> | undefined
  const isPerson = (name: string) =>
    !isSite(name) && !isOrganization(name) && !isHandle(name) && !nobody?.value.some((house) => isPartOf(name, house))
  for (const { value, from, isSure, isOfHouse } of statements(evidence, lines, blocks, titlePiece)) {
    if (nobody && !isSure) continue
    const names = distinct(value)
    const people = isOfHouse ? [] : names.filter(isPerson)
    if (people.length > 0) return withOthers(lines, people) ?? { value: people, from }
    if (names.length > 0) nobody ??= { value: names, from }
  }
  return nobody
}

/** "Center" and "Research" of the "Center for Mills and Research". */
function isPartOf(name: string, house: string): boolean {
  return normalizeLetters(house).includes(normalizeLetters(name))
}

interface Statement extends FoundFact<string[]> {
  /** Trusted even against the name of an organization or an account in a better place. */
  isSure: boolean
  /** Its source states that these are not persons. */
  isOfHouse?: true
}

/** Metadata often names one author only, where the page shows all of them. */
function withOthers(lines: readonly Block[], known: readonly string[]): FoundFact<string[]> | undefined {
  if (known.length !== 1) return undefined
  const own = normalizeLetters(known[0]!)
  for (const byline of wholeBylines(lines)) {
    if (byline.value.some((name) => normalizeLetters(name).includes(own))) return byline
  }
  return undefined
}

function* statements(
  evidence: PageEvidence,
  lines: readonly Block[],
  blocks: readonly Block[],
  titlePiece: number,
): Generator<Statement> {
  const { html, linkedData, metas, microdata, page } = evidence
  const sure = (value: string[], from: FactOrigin): Statement => ({ value, from, isSure: true })
  const { article } = linkedData
  const people = linkedData.things(article?.author ?? article?.creator)
  const persons = people.filter((thing) => typeOf(thing) !== 'Organization')
  yield sure(persons.flatMap(namesOfThing), 'json-ld')
  const cited = [...metas.all('citation_author'), ...metas.all('citation_authors')].map((name) =>
    name.replace(/^([^,]+), ([^,]+)$/, '$2 $1'),
  )
  yield sure(
    cited.flatMap((name) => parseName(name, 'field') ?? []),
    'meta',
  )
  yield sure(named(metas.all('article:author')), 'opengraph')
  const author = named(metas.all('author'))
  // templates put the company or the publishing account here, while the page shows who wrote it
  const shown = author.length > 0 ? wholeSignature(evidence, lines) : undefined
  if (shown && !author.some((name) => isAmong(name, shown.value))) yield sure(shown.value, shown.from)
  yield sure(author, 'meta')
  const houses = people.filter((thing) => !persons.includes(thing))
  yield { value: houses.flatMap(namesOfThing), from: 'json-ld', isSure: false, isOfHouse: true }
  for (const { value, from } of metas.like(AUTHOR_META)) yield sure(named([value]), from)
  const marked = microdata.all('author')
  if (marked.length === 1) yield sure(named(marked), 'microdata')
  for (const { value, from } of signatures(page.pieces, lines)) yield sure(value, from)
  for (const byline of bylines(page.pieces, lines, blocks, titlePiece)) yield { ...byline, isSure: false }
  yield { value: named(marked.slice(0, 3)), from: 'microdata', isSure: false }
  yield { value: named(authorsInScripts(html)), from: 'script', isSure: false }
}

/** The first line near the title that says who wrote it, with full names. */
function wholeSignature({ page }: PageEvidence, lines: readonly Block[]): FoundFact<string[]> | undefined {
  for (const signature of signatures(page.pieces, lines)) {
    if (signature.value.length === 0) continue
    return signature.value.every((name) => isWholeName(name) && !isJobTitle(name)) ? signature : undefined
  }
  return undefined
}

/** One of them has the same surname: either may have a title or a middle name. */
function isAmong(name: string, names: readonly string[]): boolean {
  return names.some((other) => surnameOf(other) === surnameOf(name))
}

function surnameOf(name: string): string {
  return normalizeLetters(name.split(/\s+/).at(-1)!)
}

/** In data layers, if they name a single one. */
function authorsInScripts(html: string): string[] {
  const names = new Set<string>()
  for (const [, name] of html.matchAll(IN_SCRIPT)) if (names.add(name!).size > 1) return []
  return [...names]
}

const IN_SCRIPT =
  /(?:[Aa]uthor_?[Nn]ame|(?:[Pp]ost|[Aa]rticle|[Pp]age|[Cc]ontent)_?[Aa]uthor)["']?\s{0,4}[:=]\s{0,4}["']([^"'\\<>&]{3,60})["']/g

/** A typed object has one name, which may contain "and"; a plain string may contain several names. */
function namesOfThing(thing: Node): string[] {
  const names = Array.isArray(thing.name) ? thing.name : [thing.name]
  return names.flatMap((name) => {
    if (typeof name !== 'string') return []
    return typeOf(thing) === 'Organization' ? [factText(name.slice(0, 200))] : parseNames(factText(name), 'field')
  })
}

/** "parsely-author", "sailthru.author", "dc.creator", "byl"; metadata for social networks names accounts. */
const AUTHOR_META = /^(?!twitter|fb|facebook)(?:.*[-_.:])?(?:author(?:s|[-_]?name)?|creator|byl|byline)$/

function named(values: readonly unknown[]): string[] {
  return values.slice(0, 30).flatMap((value) => (typeof value === 'string' ? parseNames(factText(value), 'field') : []))
}

function distinct(names: readonly string[]): string[] {
  return [...new Map(names.map((name) => [normalizeLetters(name), name])).values()]
}

/** Tests whether a name is that of the site, its publisher or its host. */
function siteJudge(siteName: string | undefined, { linkedData, address }: PageEvidence): (name: string) => boolean {
  const publisher = linkedData.things(linkedData.article?.publisher)[0]?.name
  const sites = [siteName, publisher].flatMap((name) =>
    typeof name === 'string' ? [normalizeLetters(name.slice(0, 200))] : [],
  )
  const host = address?.hostname.replace(/^www\d?\./, '') ?? ''
  const hosts = [normalizeLetters(host), normalizeLetters(host.split('.').at(-2) ?? '')]
  return (name) => {
    const letters = normalizeLetters(name)
    if (hosts.includes(letters)) return true
    return sites.some(
      (site) =>
        site !== '' && (letters === site || (letters.length >= 8 && site.length >= 8 && letters.includes(site))),
    )
  }
}
