/**
 * Who wrote it: names only, each once. Machines are told in several places; people are told in a line by the title, which
 * is found by its marks (rel, a link to an author's page, a telling name) or by its first word.
 */
import type { FoundFact } from '../article.ts'
import type { Block } from '../main/blocks.ts'
import { lettersOf } from '../page/characters.ts'
import { bylines, signatures, wholeBylines } from './byline.ts'
import type { PageEvidence } from './evidence.ts'
import { type Node, typeOf } from './json-ld.ts'
import { isHouse } from './no-name.ts'
import { nameOf, namesIn } from './person-name.ts'
import { plain } from './plain.ts'

/** `lines`: those round the title; `blocks`: all; `titlePiece`: where the title stands. */
export function authorsOf(
  evidence: PageEvidence,
  siteName: string | undefined,
  lines: readonly Block[],
  blocks: readonly Block[],
  titlePiece: number,
): FoundFact<string[]> | undefined {
  const isSite = siteJudge(siteName, evidence)
  const isPerson = (name: string) => !isSite(name) && !isHouse(name)
  for (const { value, from } of statements(evidence, lines, blocks, titlePiece)) {
    const names = distinct(value)
    const people = names.filter(isPerson)
    if (people.length > 0) return withOthers(lines, people) ?? { value: people, from }
    if (names.length > 0) return signedBy(evidence, lines, isPerson) ?? { value: names, from }
  }
  return undefined
}

/** A person who is named by the title, where all else names a house. */
function signedBy(
  { page }: PageEvidence,
  lines: readonly Block[],
  isPerson: (name: string) => boolean,
): FoundFact<string[]> | undefined {
  for (const { value, from } of signatures(page.pieces, lines)) {
    const people = distinct(value).filter(isPerson)
    if (people.length > 0) return { value: people, from }
  }
  return undefined
}

/** Machines are often told of one author only, where readers are told of all. */
function withOthers(lines: readonly Block[], known: readonly string[]): FoundFact<string[]> | undefined {
  if (known.length !== 1) return undefined
  const own = lettersOf(known[0]!)
  for (const byline of wholeBylines(lines)) {
    if (byline.value.some((name) => lettersOf(name).includes(own))) return byline
  }
  return undefined
}

function* statements(
  evidence: PageEvidence,
  lines: readonly Block[],
  blocks: readonly Block[],
  titlePiece: number,
): Generator<FoundFact<string[]>> {
  const { html, linkedData, metas, microdata, page } = evidence
  const { article } = linkedData
  const people = linkedData.things(article?.author ?? article?.creator)
  yield { value: people.flatMap(namesOfThing), from: 'json-ld' }
  const cited = [...metas.all('citation_author'), ...metas.all('citation_authors')].map((name) =>
    name.replace(/^([^,]+), ([^,]+)$/, '$2 $1'),
  )
  yield { value: cited.flatMap((name) => nameOf(name, 'field') ?? []), from: 'meta' }
  yield { value: named(metas.all('author')), from: 'meta' }
  yield { value: named(metas.all('article:author')), from: 'opengraph' }
  for (const { value, from } of metas.like(AUTHOR_META)) yield { value: named([value]), from }
  const marked = microdata.all('author')
  if (marked.length === 1) yield { value: named(marked), from: 'microdata' }
  yield* bylines(page.pieces, lines, blocks, titlePiece)
  yield { value: named(marked.slice(0, 3)), from: 'microdata' }
  yield { value: named(authorsInScripts(html)), from: 'script' }
}

/** In data layers, if they name one only. */
function authorsInScripts(html: string): string[] {
  const names = new Set<string>()
  for (const [, name] of html.matchAll(IN_SCRIPT)) if (names.add(name!).size > 1) return []
  return [...names]
}

const IN_SCRIPT =
  /(?:[Aa]uthor_?[Nn]ame|(?:[Pp]ost|[Aa]rticle|[Pp]age|[Cc]ontent)_?[Aa]uthor)["']?\s{0,4}[:=]\s{0,4}["']([^"'\\<>&]{3,60})["']/g

/** What is typed has one name, which may hold an "and"; a bare text may hold several. */
function namesOfThing(thing: Node): string[] {
  const names = Array.isArray(thing.name) ? thing.name : [thing.name]
  return names.flatMap((name) => {
    if (typeof name !== 'string') return []
    return typeOf(thing) === 'Organization' ? [plain(name.slice(0, 200))] : namesIn(plain(name), 'field')
  })
}

/** "parsely-author", "sailthru.author", "dc.creator", "byl". */
const AUTHOR_META = /(?:^|[-_.:])(?:author(?:s|[-_]?name)?|creator|byl|byline)$/

function named(values: readonly unknown[]): string[] {
  return values.slice(0, 30).flatMap((value) => (typeof value === 'string' ? namesIn(plain(value), 'field') : []))
}

function distinct(names: readonly string[]): string[] {
  return [...new Map(names.map((name) => [lettersOf(name), name])).values()]
}

/** Whether a name is that of the site, of its publisher or of its host. */
function siteJudge(siteName: string | undefined, { linkedData, address }: PageEvidence): (name: string) => boolean {
  const publisher = linkedData.things(linkedData.article?.publisher)[0]?.name
  const sites = [siteName, publisher].flatMap((name) =>
    typeof name === 'string' ? [lettersOf(name.slice(0, 200))] : [],
  )
  const host = address?.hostname.replace(/^www\d?\./, '') ?? ''
  const hosts = [lettersOf(host), lettersOf(host.split('.').at(-2) ?? '')]
  return (name) => {
    const letters = lettersOf(name)
    if (hosts.includes(letters)) return true
    return sites.some(
      (site) =>
        site !== '' && (letters === site || (letters.length >= 8 && site.length >= 8 && letters.includes(site))),
    )
  }
}
