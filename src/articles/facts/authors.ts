/**
 * Who wrote it: names only, each once. Machines are told in several places; people are told in a line by the title, which
 * is found by its marks (rel, a link to an author's page, a telling name) or by its first word.
 */
import type { FoundFact } from '../article.ts'
import type { Block } from '../main/blocks.ts'
import { lettersOf } from '../page/characters.ts'
import { bylines } from './byline.ts'
import type { PageEvidence } from './evidence.ts'
import { type Node, typeOf } from './json-ld.ts'
import { nameOf, namesIn } from './person-name.ts'
import { plain } from './plain.ts'

export function authorsOf(
  evidence: PageEvidence,
  siteName: string | undefined,
  lines: readonly Block[],
): FoundFact<string[]> | undefined {
  let house: FoundFact<string[]> | undefined
  for (const { value, from } of statements(evidence, lines)) {
    const names = distinct(value)
    const people = names.filter((name) => !isSite(name, siteName) && !(names.length > 1 && HOUSE.test(name)))
    if (people.length > 0) return { value: people, from }
    if (names.length > 0) house ??= { value: names, from }
  }
  return house
}

function* statements(evidence: PageEvidence, lines: readonly Block[]): Generator<FoundFact<string[]>> {
  const { linkedData, metas, microdata, page } = evidence
  const { article } = linkedData
  const people = linkedData.things(article?.author ?? article?.creator)
  yield { value: people.flatMap(namesOfThing), from: 'json-ld' }
  const cited = metas.all('citation_author').map((name) => name.replace(/^([^,]+), ([^,]+)$/, '$2 $1'))
  yield { value: cited.flatMap((name) => nameOf(name, 'field') ?? []), from: 'meta' }
  yield { value: named(metas.all('author')), from: 'meta' }
  yield { value: named(metas.all('article:author')), from: 'opengraph' }
  for (const { value, from } of metas.like(AUTHOR_META)) yield { value: named([value]), from }
  const marked = microdata.all('author')
  if (marked.length === 1) yield { value: named(marked), from: 'microdata' }
  yield* bylines(page.pieces, lines)
  yield { value: named(marked.slice(0, 3)), from: 'microdata' }
}

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

/** Beside names of people, the name of a house. */
const HOUSE = /^the\s|\b(?:news|staff|team|desk|press|media|magazine|times|today|redaktion|redacción|rédaction)$/i

function isSite(name: string, siteName: string | undefined): boolean {
  const site = lettersOf(siteName ?? '')
  const letters = lettersOf(name)
  return site !== '' && (letters === site || (letters.length >= 8 && site.length >= 8 && letters.includes(site)))
}
