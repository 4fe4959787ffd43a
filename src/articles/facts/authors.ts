/**
 * Finds the authors: names only, each once. Metadata states them in several places; readers see them in a line near the
 * title, which is recognized by its markup (rel, a link to an author's page, a class name) or by its first word.
 */
import type { FactOrigin, FoundFact } from '../article.ts'
import type { Block } from '../main/blocks.ts'
import { normalizeLetters } from '../page/characters.ts'
import { bylines, isWholeName, signatures, wholeBylines } from './byline.ts'
import type { PageMetadata } from './evidence.ts'
import { factText } from './fact-text.ts'
import { type JsonLdObject, typeOf } from './json-ld.ts'
import { isHandle, isJobTitle, isOrganization } from './non-names.ts'
import { parseName, parseNames } from './person-name.ts'

/** `lines`: those near the title; `blocks`: all; `titleNode`: the index of the title. */
export function findAuthors(
  evidence: PageMetadata,
  siteName: string | undefined,
  lines: readonly Block[],
  blocks: readonly Block[],
  titleNode: number,
): FoundFact<string[]> | undefined {
  const isSite = createSiteTest(siteName, evidence)
  let fallback: FoundFact<string[]> | undefined
  const isPerson = (name: string) =>
    !isSite(name) &&
    !isOrganization(name) &&
    !isHandle(name) &&
    !fallback?.value.some((organization) => isPartOf(name, organization))
  for (const { value, from, isSure, isPublisher } of statements(evidence, lines, blocks, titleNode)) {
    if (fallback && !isSure) continue
    const names = distinct(value)
    const people = isPublisher ? [] : names.filter(isPerson)
    if (people.length > 0) return completeByline(lines, people) ?? { value: people, from }
    if (names.length > 0) fallback ??= { value: names, from }
  }
  return fallback
}

/** Whether the name is a part of the organization's: "Research" of the "Center for Mills and Research". */
function isPartOf(name: string, organization: string): boolean {
  return normalizeLetters(organization).includes(normalizeLetters(name))
}

interface AuthorStatement extends FoundFact<string[]> {
  /** Preferred even to an organization or account stated in a more reliable place. */
  isSure: boolean
  /** Its source states that these are not persons. */
  isPublisher?: true
}

/** Metadata often names one author only, where the page shows all of them. */
function completeByline(lines: readonly Block[], names: readonly string[]): FoundFact<string[]> | undefined {
  if (names.length !== 1) return undefined
  const knownLetters = normalizeLetters(names[0]!)
  for (const byline of wholeBylines(lines)) {
    if (byline.value.some((name) => normalizeLetters(name).includes(knownLetters))) return byline
  }
  return undefined
}

function* statements(
  evidence: PageMetadata,
  lines: readonly Block[],
  blocks: readonly Block[],
  titleNode: number,
): Generator<AuthorStatement> {
  const { html, linkedData, metas, microdata, page } = evidence
  const trusted = (value: string[], from: FactOrigin): AuthorStatement => ({ value, from, isSure: true })
  const { article } = linkedData
  const people = linkedData.objectsIn(article?.author ?? article?.creator)
  const persons = people.filter((object) => typeOf(object) !== 'Organization')
  yield trusted(persons.flatMap(namesOfObject), 'json-ld')
  const cited = [...metas.all('citation_author'), ...metas.all('citation_authors')].map((name) =>
    name.replace(/^([^,]+), ([^,]+)$/, '$2 $1'),
  )
  yield trusted(
    cited.flatMap((name) => parseName(name, 'field') ?? []),
    'meta',
  )
  yield trusted(parseFieldNames(metas.all('article:author')), 'opengraph')
  const author = parseFieldNames(metas.all('author'))
  // templates put the company or the publishing account here, while the page shows who wrote it
  const signature = author.length > 0 ? wholeSignature(evidence, lines) : undefined
  if (signature && !author.some((name) => isAmong(name, signature.value)))
    yield trusted(signature.value, signature.from)
  yield trusted(author, 'meta')
  const organizations = people.filter((object) => !persons.includes(object))
  yield { value: organizations.flatMap(namesOfObject), from: 'json-ld', isSure: false, isPublisher: true }
  for (const { value, from } of metas.like(AUTHOR_META)) yield trusted(parseFieldNames([value]), from)
  const microdataNames = microdata.all('author')
  if (microdataNames.length === 1) yield trusted(parseFieldNames(microdataNames), 'microdata')
  for (const { value, from } of signatures(page.nodes, lines)) yield trusted(value, from)
  for (const byline of bylines(page.nodes, lines, blocks, titleNode)) yield { ...byline, isSure: false }
  yield { value: parseFieldNames(microdataNames.slice(0, 3)), from: 'microdata', isSure: false }
  yield { value: parseFieldNames(authorsInScripts(html)), from: 'script', isSure: false }
}

/** The first line near the title that says who wrote it, with full names. */
function wholeSignature({ page }: PageMetadata, lines: readonly Block[]): FoundFact<string[]> | undefined {
  for (const signature of signatures(page.nodes, lines)) {
    if (signature.value.length === 0) continue
    return signature.value.every((name) => isWholeName(name) && !isJobTitle(name)) ? signature : undefined
  }
  return undefined
}

/** One of them has the same surname: either may have a title or a middle name. */
function isAmong(name: string, names: readonly string[]): boolean {
  return names.some((otherName) => surnameOf(otherName) === surnameOf(name))
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
function namesOfObject(object: JsonLdObject): string[] {
  const names = Array.isArray(object.name) ? object.name : [object.name]
  return names.flatMap((name) => {
    if (typeof name !== 'string') return []
    return typeOf(object) === 'Organization' ? [factText(name.slice(0, 200))] : parseNames(factText(name), 'field')
  })
}

/** "parsely-author", "sailthru.author", "dc.creator", "byl"; metadata for social networks names accounts. */
const AUTHOR_META = /^(?!twitter|fb|facebook)(?:.*[-_.:])?(?:author(?:s|[-_]?name)?|creator|byl|byline)$/

function parseFieldNames(values: readonly unknown[]): string[] {
  return values.slice(0, 30).flatMap((value) => (typeof value === 'string' ? parseNames(factText(value), 'field') : []))
}

function distinct(names: readonly string[]): string[] {
  return [...new Map(names.map((name) => [normalizeLetters(name), name])).values()]
}

/** Tests whether a name is that of the site, its publisher or its host. */
function createSiteTest(
  siteName: string | undefined,
  { linkedData, address }: PageMetadata,
): (name: string) => boolean {
  const publisher = linkedData.objectsIn(linkedData.article?.publisher)[0]?.name
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
