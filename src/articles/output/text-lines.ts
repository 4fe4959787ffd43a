/**
 * Keeps the lines of a text that has no block markup, such as the show notes of many podcasts: paragraphs, chapter lines (`12:34 A topic`),
 * lists written with dashes, and addresses, which become links. Browsers would show it as one paragraph.
 */

/** Elements that make lines by themselves: then line breaks of the source mean nothing. */
const HAS_BLOCKS =
  /<(?:address|article|aside|blockquote|br|dd|details|div|dl|dt|figure|footer|h[1-6]|header|hr|li|main|ol|p|pre|section|table|ul)[\s>]/i
/** A line that begins like an item of a list, a chapter or an address stands for itself. */
const OWN_LINE = /^\s*(?:[-*•·–—▪►]\s|\d{1,3}[.)]\s|[[(]?\d{1,2}:\d{2}|https?:\/\/|#\w|@\w)/
/** Characters: shorter lines were not wrapped by a program. */
const WRAPPED_AT = 60
const ADDRESS = /https?:\/\/[^\s<>"]{1,1000}/g
/** Punctuation after an address belongs to the sentence. */
const AFTER_ADDRESS = /(?:[.,;:!?'’”»)\]]|&(?:quot|gt|lt);)+$/

/** `html` is sanitized, and so is the result. */
export function keepLines(html: string): string {
  if (HAS_BLOCKS.test(html)) return html
  const isPlain = !html.includes('<')
  if (isPlain && !html.includes('\n')) return linked(html)
  if (!html.includes('\n')) return html
  const paragraphs = html.trim().split(/\n[^\S\n]*\n\s*/)
  const written = paragraphs.map((paragraph) => (isPlain ? linked(withBreaks(paragraph)) : withBreaks(paragraph)))
  // Elements may reach over several paragraphs, so these cannot become elements themselves.
  return isPlain ? written.map((paragraph) => `<p>${paragraph}</p>`).join('') : written.join('<br><br>')
}

function withBreaks(paragraph: string): string {
  const lines = paragraph.split('\n')
  let out = lines[0]!.trim()
  for (let i = 1; i < lines.length; i++) {
    const isBreak = lines[i - 1]!.trim().length < WRAPPED_AT || OWN_LINE.test(lines[i]!)
    out += (isBreak ? '<br>' : ' ') + lines[i]!.trim()
  }
  return out
}

function linked(text: string): string {
  return text.replace(ADDRESS, (found) => {
    const [after = ''] = AFTER_ADDRESS.exec(found) ?? []
    const address = found.slice(0, found.length - after.length)
    return `<a href="${address}" rel="noopener noreferrer nofollow">${address}</a>${after}`
  })
}
