/**
 * A picture, or what it says where it need not be shown: emoji come as letters, and a picture that cannot be loaded leaves its
 * description. Formulas and smileys are often pictures, and without them a sentence has a hole.
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

/** Where a script would put the picture later; else where it is; else the first of those to choose from. */
function sourceOf(given: SourceAttributes, addresses: Addresses): string | undefined {
  for (const name of ['data-src', 'data-original', 'src']) {
    const src = addresses.media(given.get(name))
    if (src) return src
  }
  return addresses.media(given.get('srcset')?.trim().split(/[\s,]/, 1)[0])
}

/** By its description alone a photograph might be one. */
function isEmoji(given: SourceAttributes, src: string, alt: string): boolean {
  return EMOJI.test(alt) && (CALLED_EMOJI.test(given.get('class') ?? '') || CALLED_EMOJI.test(src))
}

const EMOJI = /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation}|\p{Extended_Pictographic}){1,8}$/v
const CALLED_EMOJI = /emoji|smil(?:ey|ies)|emoticon/i
