/** The page's canonical URL and its lead image: absolute, http(s). */
import type { FoundFact } from '../article.ts'
import type { PageMetadata } from './evidence.ts'

export function toAbsoluteUrl(href: unknown, base: URL | undefined): string | undefined {
  if (typeof href !== 'string' || href.length > MAX_URL_LENGTH || href.trim() === '') return undefined
  const url = URL.parse(href.trim(), base?.href)
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined
}

const MAX_URL_LENGTH = 4_000

export function findCanonicalUrl({ page, metas, linkedData, address }: PageMetadata): FoundFact<string> | undefined {
  const link = page.links.find(({ rel }) => rel !== undefined && /(?:^|\s)canonical(?:\s|$)/i.test(rel))
  const sources: FoundFact<unknown>[] = [
    { value: link?.href, from: 'link' },
    { value: metas.first('og:url')?.value, from: 'opengraph' },
    { value: linkedData.article?.url, from: 'json-ld' },
  ]
  for (const { value, from } of sources) {
    const url = toAbsoluteUrl(value, address)
    // a site that declares its front page as the canonical URL of all its pages has made a mistake
    if (url && !(isFrontPage(url) && address && !isFrontPage(address.href))) return { value: url, from }
  }
  return undefined
}

function isFrontPage(url: string): boolean {
  const { pathname, search } = new URL(url)
  return pathname === '/' && search === ''
}

export function findLeadImage({
  page,
  metas,
  linkedData,
  microdata,
  address,
}: PageMetadata): FoundFact<string> | undefined {
  const stated = metas.first('og:image', 'og:image:secure_url', 'og:image:url')
  const shared = metas.first('twitter:image', 'twitter:image:src')
  const linked = linkedData
    .objectsIn(linkedData.article?.image)
    .map(({ url, contentUrl, name }) => url ?? contentUrl ?? name)
  const source = page.links.find(({ rel }) => rel?.toLowerCase() === 'image_src')
  const sources: FoundFact<unknown>[] = [
    { value: stated?.value, from: 'opengraph' },
    { value: shared?.value, from: 'meta' },
    ...linked.map((value) => ({ value, from: 'json-ld' }) as const),
    { value: source?.href, from: 'link' },
    { value: microdata.all('image')[0], from: 'microdata' },
  ]
  for (const { value, from } of sources) {
    const url = toAbsoluteUrl(value, address)
    if (url) return { value: url, from }
  }
  return undefined
}
