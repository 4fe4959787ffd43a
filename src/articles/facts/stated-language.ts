/** The language that the page states. Templates state "en" wherever they are used, so the statements are counted. */
import type { FoundFact } from '../article.ts'
import type { PageMetadata } from './evidence.ts'

export function findStatedLanguage({ page, metas, linkedData }: PageMetadata): FoundFact<string> | undefined {
  const stated = linkedData.article?.inLanguage ?? linkedData.nodes.find(({ inLanguage }) => inLanguage)?.inLanguage
  const object = linkedData.objectsIn(stated)[0]
  const sources: FoundFact<unknown>[] = [
    { value: page.language, from: 'link' },
    { value: object?.alternateName ?? object?.name, from: 'json-ld' },
    { value: metas.first('og:locale')?.value, from: 'opengraph' },
    { value: metas.first('content-language', 'dc.language', 'dcterms.language', 'language')?.value, from: 'meta' },
  ]
  const votes = new Map<string, number>()
  const statements = sources.flatMap(({ value, from }) => {
    const tag = typeof value === 'string' ? tagOf(value) : undefined
    if (tag === undefined) return []
    votes.set(primary(tag), (votes.get(primary(tag)) ?? 0) + 1)
    return [{ value: tag, from }]
  })
  const most = Math.max(...votes.values())
  return statements.find(({ value }) => votes.get(primary(value)) === most)
}

/** "de_at" becomes "de-AT"; undefined if it is not a language tag. */
function tagOf(value: string): string | undefined {
  const match = /^\s*([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_.,;\s].*)?$/is.exec(value)
  if (!match) return undefined
  const [, language, script, region] = match
  const parts = [language!.toLowerCase()]
  if (script) parts.push(script[0]!.toUpperCase() + script.slice(1).toLowerCase())
  if (region) parts.push(region.toUpperCase())
  return parts.join('-')
}

function primary(tag: string): string {
  return tag.split('-', 1)[0]!
}
