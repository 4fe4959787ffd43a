/** Finds the pictures of a text that are large enough to represent it. */
import { decodeEntities } from '../../html/index.ts'
import { sanitizeHtml } from './sanitize.ts'

/** Characters of HTML that are read, from the first picture on. */
const MAX_HTML = 4000
/** Pixels: smaller pictures are icons, buttons and portraits. */
const LARGE = 120

/** Addresses of pictures that are not stated to be small, in their order, from the first few thousand characters after the first one. */
export function largePictures(html: string, baseUrl: string | undefined): string[] {
  const from = html.search(/<img[\s/]/i)
  if (from < 0) return []
  const safe = sanitizeHtml(html.slice(from, from + MAX_HTML), baseUrl)
  return [...safe.matchAll(/<img src="([^"]+)"[^>]*>/g)].flatMap(([tag, src]) => {
    const isSmall = [...tag.matchAll(/ (?:width|height)="(\d+)"/g)].some(([, pixels]) => Number(pixels) < LARGE)
    return isSmall ? [] : [decodeEntities(src!)]
  })
}
