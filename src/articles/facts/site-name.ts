/** The name of the site. */
import type { FoundFact } from '../article.ts'
import type { PageMetadata } from './evidence.ts'
import { factText } from './fact-text.ts'
import { typeOf } from './json-ld.ts'

export function findSiteName({ metas, linkedData }: PageMetadata): FoundFact<string> | undefined {
  const stated = metas.first('og:site_name')
  if (stated) return { value: nameOf(stated.value), from: stated.from }
  const publisher = linkedData.objectsIn(linkedData.article?.publisher)[0]
  const site = linkedData.nodes.find((node) => /WebSite|NewsMediaOrganization/.test(typeOf(node)))
  for (const object of [publisher, site]) {
    if (typeof object?.name === 'string' && object.name.trim() !== '')
      return { value: nameOf(object.name), from: 'json-ld' }
  }
  const named = metas.first('application-name', 'apple-mobile-web-app-title', 'dc.publisher', 'publisher', 'copyright')
  return named && named.value.length < 60 ? { value: nameOf(named.value), from: named.from } : undefined
}

function nameOf(value: string): string {
  return factText(value.slice(0, 200))
}
