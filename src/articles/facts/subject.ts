/** The publisher's description, section and keywords. */
import type { FoundFact } from '../article.ts'
import { normalizeLetters } from '../page/characters.ts'
import type { PageMetadata } from './evidence.ts'
import { factText } from './fact-text.ts'
import { typeOf } from './json-ld.ts'

export function findDescription({ metas, linkedData }: PageMetadata): FoundFact<string> | undefined {
  const shared = metas.first('og:description')
  const stated = linkedData.article?.description
  const sources: FoundFact<unknown>[] = [
    { value: shared?.value, from: 'opengraph' },
    { value: stated, from: 'json-ld' },
    { value: metas.first('description', 'twitter:description', 'dc.description')?.value, from: 'meta' },
  ]
  return firstText(sources, 2_000)
}

export function findSection(
  { metas, linkedData, microdata }: PageMetadata,
  title: string | undefined,
): FoundFact<string> | undefined {
  const stated = linkedData.article?.articleSection
  return firstText(
    [
      { value: metas.first('article:section')?.value, from: 'opengraph' },
      { value: Array.isArray(stated) ? stated[0] : stated, from: 'json-ld' },
      { value: microdata.all('articlesection')[0], from: 'microdata' },
      { value: metas.first('section', 'parsely-section', 'category', 'dc.subject')?.value, from: 'meta' },
      { value: crumb(linkedData.nodes, title), from: 'json-ld' },
    ],
    100,
  )
}

/** The first breadcrumb that is neither the front page nor the page itself. */
function crumb(nodes: PageMetadata['linkedData']['nodes'], title: string | undefined): unknown {
  const trail = nodes.find((node) => typeOf(node) === 'BreadcrumbList')?.itemListElement
  if (!Array.isArray(trail) || trail.length < 2) return undefined
  const names = trail.slice(1, 10).map((step) => step?.name ?? step?.item?.name)
  const titleLetters = normalizeLetters(title ?? '')
  return names.find((name) => typeof name === 'string' && normalizeLetters(name) !== titleLetters)
}

export function findKeywords({ metas, linkedData, microdata }: PageMetadata): FoundFact<string[]> | undefined {
  const stated = linkedData.article?.keywords
  const sources: FoundFact<unknown[]>[] = [
    { value: Array.isArray(stated) ? stated : [stated], from: 'json-ld' },
    { value: metas.all('article:tag'), from: 'opengraph' },
    { value: [metas.first('news_keywords')?.value], from: 'meta' },
    { value: [metas.first('keywords', 'parsely-tags', 'sailthru.tags')?.value], from: 'meta' },
    { value: microdata.all('keywords'), from: 'microdata' },
  ]
  for (const { value, from } of sources) {
    const keywords = distinct(
      value
        .slice(0, MAX_KEYWORDS)
        .flatMap((item) => (typeof item === 'string' ? factText(item).split(/\s*[,;،、]\s*/) : [])),
    )
    if (keywords.length > 0) return { value: keywords, from }
  }
  return undefined
}

const MAX_KEYWORDS = 40

function distinct(keywords: readonly string[]): string[] {
  const byLetters = new Map<string, string>()
  for (const keyword of keywords) {
    if (keyword !== '' && keyword.length <= 80 && !byLetters.has(normalizeLetters(keyword)))
      byLetters.set(normalizeLetters(keyword), keyword)
  }
  return [...byLetters.values()].slice(0, MAX_KEYWORDS)
}

function firstText(sources: readonly FoundFact<unknown>[], longest: number): FoundFact<string> | undefined {
  for (const { value, from } of sources) {
    const text = typeof value === 'string' ? factText(value.slice(0, 2 * longest)).slice(0, longest) : ''
    if (text !== '') return { value: text, from }
  }
  return undefined
}
