/** The pages that a text links to. */
import type { WebAddress } from '../../model/index.ts'
import { readTags } from './read-tags.ts'
import { resolvePageLink } from './user-address.ts'

const ELEMENTS: ReadonlySet<string> = new Set(['a'])

/** The links of an HTML fragment, each once, in its order. Relative links are left out: they lead to the same site. */
export function outgoingLinks(html: string, limit: number): WebAddress[] {
  const links = new Set<WebAddress>()
  readTags(html, 'html', {
    elements: ELEMENTS,
    opened(_, attributes) {
      const href = attributes.get('href')?.trim() ?? ''
      const link = /^(?:https?:)?\/\//i.test(href) ? resolvePageLink(href.replace(/^\/\//, 'https://')) : undefined
      if (link) links.add(link)
      return links.size >= limit ? 'stop' : undefined
    },
  })
  return [...links]
}
