/**
 * Robots directives of a page: the X-Robots-Tag header, which may name a user agent, and the meta tags "robots" and "freshet".
 * Directives add up. Only those about storing a page matter here.
 */
import { ROBOTS_PRODUCT_TOKEN } from './robots.ts'

export interface PageDirectives {
  /** Must not be stored. */
  noIndex: boolean
  /** Must not be shown from a copy. */
  noArchive: boolean
}

const NO_INDEX = new Set(['noindex', 'none'])
const NO_ARCHIVE = new Set(['noarchive', 'nocache'])
const MAX_CHARS = 10_000 // ours, in characters

/** `header`: X-Robots-Tag, repeated ones joined by commas. `metas`: content of the meta tags that apply to us. */
export function pageDirectives(header: string | undefined, metas: readonly string[]): PageDirectives {
  const directives = [...directivesInHeader(header ?? ''), ...metas.flatMap(directivesIn)]
  return {
    noIndex: directives.some((directive) => NO_INDEX.has(directive)),
    noArchive: directives.some((word) => NO_ARCHIVE.has(word)),
  }
}

/** `noindex, otherbot: noarchive, nofollow`: directives after a name apply to that user agent, until the next name. */
function directivesInHeader(header: string): string[] {
  let isForUs = true
  return header
    .slice(0, MAX_CHARS)
    .split(',')
    .flatMap((part) => {
      const colon = part.indexOf(':')
      const name = part.slice(0, Math.max(0, colon)).trim().toLowerCase()
      if (colon >= 0 && !VALUED.has(name)) isForUs = name === ROBOTS_PRODUCT_TOKEN || name === '*'
      return isForUs ? directivesIn(colon >= 0 ? part.slice(colon + 1) : part) : []
    })
}

/** Directives with a value, which look like user agent names. */
const VALUED = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview'])

function directivesIn(text: string): string[] {
  return text
    .slice(0, MAX_CHARS)
    .toLowerCase()
    .split(/[\s,;]+/)
}
