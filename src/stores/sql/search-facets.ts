/**
 * Encodes search facets (feed, language, category, site) and word beginnings as index words that start with a character users cannot type.
 * So they are searched, combined and excluded like any other word.
 */
import { type SearchDocument, sitesOf } from '../../ports/index.ts'

const FACET_PREFIX = '\ue000'
const SIGN_REPLACEMENT = '\ue001'

export function facetsOf({ feedId, language, category, host }: SearchDocument): string[] {
  const [base] = language.toLowerCase().split('-')
  const languages = new Set([base ?? '', language.toLowerCase()])
  return [
    facet('feed', String(feedId)),
    ...[...languages].map((code) => facet('language', code)),
    facet('category', category.toLowerCase()),
    ...(host ? sitesOf(host).map((site) => facet('site', site)) : []),
  ]
}

export function facet(kind: 'feed' | 'language' | 'category' | 'site' | 'beginning' | 'name', value: string): string {
  return `${FACET_PREFIX}${kind[0]}${value.replace(/[^\p{L}\p{N}]/gu, SIGN_REPLACEMENT)}`
}
