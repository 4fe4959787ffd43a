/**
 * What narrows a search down (feed, language, category, site), and what beginnings are found by, as words of an index which begin with a character that nobody can
 * type: so it is found, joined and excluded like any other word.
 */
import { type SearchDocument, sitesOf } from '../../ports/index.ts'

const MARK = '\ue000'
const IN_PLACE_OF_A_SIGN = '\ue001'

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
  return `${MARK}${kind[0]}${value.replace(/[^\p{L}\p{N}]/gu, IN_PLACE_OF_A_SIGN)}`
}
