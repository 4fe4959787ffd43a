/** Pictures that nobody is to see: they tell their server that somebody reads. */
import type { Given } from './write-tag.ts'

export function isTracking(given: Given, src: string): boolean {
  return [given.get('width'), given.get('height')].some(isNoSize) || isHidden(given) || COUNTERS.test(src)
}

/** Hidden by its own word; what style sheets hide cannot be known here. */
export function isHidden(given: Given): boolean {
  const style = given.get('style')
  return given.has('hidden') || (style !== undefined && HIDING.test(style))
}

function isNoSize(size: string | undefined): boolean {
  return size !== undefined && /^\s*0*[01](?:\.\d*)?\s*(?:px)?\s*$/i.test(size)
}

const HIDING =
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0*)?\s*(?:;|$|!)|(?:max-)?(?:width|height)\s*:\s*[01](?:\.\d*)?(?:px|em|%)?\s*(?:;|$|!))/i

/** By the names that such pictures have wherever they are, and the best known of those who serve them. */
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
