/** Detects tracking pixels: invisible pictures that report a reader to their server. */
import type { SourceAttributes } from './write-tag.ts'

export function isTracking(attributes: SourceAttributes, src: string): boolean {
  if ([attributes.get('width'), attributes.get('height')].some(isNoSize)) return true
  return isHiddenTag(attributes) || NO_SIZE.test(attributes.get('style') ?? '') || COUNTERS.test(src)
}

/**
 * Hidden by its own attributes; style sheets are unknown here. A size of zero hides an element only if nothing can overflow:
 * cells of one pixel grow with their text, and a frame without height may get it from padding.
 */
export function isHiddenTag(attributes: SourceAttributes): boolean {
  if (attributes.has('hidden')) return true
  const style = attributes.get('style')
  if (style === undefined) return false
  return HIDING.test(style) || (NO_SIZE.test(style) && CLIPPED.test(style) && !/padding/i.test(style))
}

function isNoSize(size: string | undefined): boolean {
  return size !== undefined && /^\s*0*[01](?:\.\d*)?\s*(?:px)?\s*$/i.test(size)
}

const HIDING = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0*)?\s*(?:;|$|!))/i

/** Zero in any unit, or at most one pixel: 1% and 1.5em are sizes. */
const NO_SIZE =
  /(?:^|[;\s])(?:max-)?(?:width|height)\s*:\s*(?:0+(?:\.0*)?[a-z%]{0,4}|0*\.\d+px|0*1(?:\.0*)?(?:px)?)\s*(?:;|$|!)/i
const CLIPPED = /overflow\s*:\s*hidden|clip(?:-path)?\s*:/i

/** Detected by usual names of such pictures, and by the best-known tracking services. */
const COUNTERS = new RegExp(
  [
    String.raw`[/._-](?:1x1|0x0|1px|blank|clear|spacer|pixel|beacon|web-?bug|b)\.gif(?:[?;#]|$)`,
    String.raw`/(?:pixel|beacon|track(?:ing)?|impression|open|count(?:er)?)(?:\.(?:gif|png|php|aspx))?(?:[?;]|$)`,
    String.raw`//(?:pixel|beacon|metrics|analytics|stats|counter|track(?:er|ing)?)\.`,
    String.raw`//feeds\.feedburner\.com/~|//feedads\.|facebook\.com/tr\b|//www\.google\.[a-z.]+/ads/`,
    String.raw`(?:doubleclick\.net|google-analytics\.com|scorecardresearch\.com|quantserve\.com)/`,
  ].join('|'),
  'i',
)
