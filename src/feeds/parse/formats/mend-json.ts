/**
 * JSON that broke off, or that has line breaks in its texts: mended as far as it can be. What was whole stays as it is; the
 * last item, if half of it is missing, goes.
 */

/** Undefined where there is nothing to save. One pass; depth costs nothing. */
export function mendJson(text: string): string | undefined {
  const mended = escapeControls(text)
  const list = /"items"\s*:\s*\[/.exec(mended)
  if (!list) return undefined
  const from = list.index + list[0].length
  let depth = 0
  let inText = false
  let end = -1
  for (let at = from; at < mended.length; at++) {
    const c = mended.charCodeAt(at)
    if (inText) {
      if (c === BACKSLASH) at++
      else if (c === QUOTE) inText = false
    } else if (c === QUOTE) inText = true
    else if (c === OPEN_BRACE || c === OPEN_BRACKET) depth++
    else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
      depth--
      if (depth === 0) end = at + 1
      // The list is closed: what is wrong is wrong elsewhere.
      if (depth < 0) return mended
    }
  }
  return `${mended.slice(0, end < 0 ? from : end)}]}`
}

const QUOTE = 34
const BACKSLASH = 92
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** JSON allows none inside its texts, and between them a space does as well. */
function escapeControls(text: string): string {
  return text.replace(/[\0-\x1f]/g, ' ')
}
