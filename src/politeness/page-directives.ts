/**
 * What a page asks of crawlers: in the header X-Robots-Tag, which may name whom it speaks to, and in its meta tags "robots"
 * and our own name. Directives add up, wherever they stand. What is not about keeping a page does not concern us.
 */
import { OUR_TOKEN } from './robots.ts'

export interface PageDirectives {
  /** Nothing of it is to be kept. */
  noIndex: boolean
  /** It is not to be shown from a copy. */
  noArchive: boolean
}

const NO_INDEX = new Set(['noindex', 'none'])
const NO_ARCHIVE = new Set(['noarchive', 'nocache'])
const LONGEST = 10_000 // ours, in characters: more is no directive

/** `header`: X-Robots-Tag, repeated ones joined by commas. `metas`: what the tags that speak to us have for content. */
export function pageDirectives(header: string | undefined, metas: readonly string[]): PageDirectives {
  const words = [...wordsInHeader(header ?? ''), ...metas.flatMap(wordsIn)]
  return { noIndex: words.some((word) => NO_INDEX.has(word)), noArchive: words.some((word) => NO_ARCHIVE.has(word)) }
}

/** `noindex, otherbot: noarchive, nofollow`: from a name on, until the next, it is to that one that is spoken. */
function wordsInHeader(header: string): string[] {
  let toUs = true
  return header
    .slice(0, LONGEST)
    .split(',')
    .flatMap((part) => {
      const colon = part.indexOf(':')
      const name = part.slice(0, Math.max(0, colon)).trim().toLowerCase()
      if (colon >= 0 && !VALUED.has(name)) toUs = name === OUR_TOKEN || name === '*'
      return toUs ? wordsIn(colon >= 0 ? part.slice(colon + 1) : part) : []
    })
}

/** Directives with a value look like names. */
const VALUED = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview'])

function wordsIn(text: string): string[] {
  return text
    .slice(0, LONGEST)
    .toLowerCase()
    .split(/[\s,;]+/)
}
