/**
 * Writes a picture, or its text if it need not be shown: emoji become characters, and a picture without a usable URL its
 * description. Formulas and smileys are often pictures, and without them a sentence would have a gap.
 */
import { escapeHtml } from '../output/escape.ts'
import type { Addresses } from './addresses.ts'
import { allowedValue } from './allowed.ts'
import { isTracking } from './tracking-pixels.ts'
import { plainAttributes, type SourceAttributes } from './write-tag.ts'

/** A tag, or text, or nothing. */
export function writePicture(given: SourceAttributes, addresses: Addresses): string {
  const src = sourceOf(given, addresses)
  if (isTracking(given, src ?? '')) return ''
  const alt = allowedValue('alt', given.get('alt') ?? '') ?? ''
  if (!src || isEmoji(given, src, alt)) return escapeHtml(alt)
  const shown = ` src="${src}" loading="lazy" decoding="async" referrerpolicy="no-referrer"`
  return `<img${shown}${plainAttributes('img', given)}>`
}

/** The lazily loaded URL, else the URL, else the first of the alternatives. */
function sourceOf(given: SourceAttributes, addresses: Addresses): string | undefined {
  for (const name of ['data-src', 'data-original', 'src']) {
    const src = addresses.media(given.get(name))
    if (src) return src
  }
  return addresses.media(given.get('srcset')?.trim().split(/[\s,]/, 1)[0])
}

/** The description alone is not enough: it might be a photograph. */
function isEmoji(given: SourceAttributes, src: string, alt: string): boolean {
  return EMOJI.test(alt) && (CALLED_EMOJI.test(given.get('class') ?? '') || CALLED_EMOJI.test(src))
}

const EMOJI = /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation}|\p{Extended_Pictographic}){1,8}$/v
const CALLED_EMOJI = /emoji|smil(?:ey|ies)|emoticon/i
