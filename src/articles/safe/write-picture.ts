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
export function writePicture(attributes: SourceAttributes, addresses: Addresses): string {
  const src = sourceOf(attributes, addresses)
  if (isTracking(attributes, src ?? '')) return ''
  const alt = allowedValue('alt', attributes.get('alt') ?? '') ?? ''
  if (!src || isEmoji(attributes, src, alt)) return escapeHtml(alt)
  const attributesHtml = ` src="${src}" loading="lazy" decoding="async" referrerpolicy="no-referrer"`
  return `<img${attributesHtml}${plainAttributes('img', attributes)}>`
}

/** The lazily loaded URL, else the URL, else the first of the alternatives. */
function sourceOf(attributes: SourceAttributes, addresses: Addresses): string | undefined {
  for (const name of ['data-src', 'data-original', 'src']) {
    const src = addresses.media(attributes.get(name))
    if (src) return src
  }
  return addresses.media(attributes.get('srcset')?.trim().split(/[\s,]/, 1)[0])
}

/** The description alone is not enough: it might be a photograph. */
function isEmoji(attributes: SourceAttributes, src: string, alt: string): boolean {
  return EMOJI.test(alt) && (CALLED_EMOJI.test(attributes.get('class') ?? '') || CALLED_EMOJI.test(src))
}

const EMOJI = /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation}|\p{Extended_Pictographic}){1,8}$/v
const CALLED_EMOJI = /emoji|smil(?:ey|ies)|emoticon/i
