/** Values of facts as people read them: some are HTML in a string, some are HTML escaped twice. */
import { decodeHTML } from 'entities'
import { oneLine } from '../page/piece.ts'

export function plain(value: string): string {
  if (!/[<&]/.test(value)) return oneLine(value)
  const decoded = decodeHTML(value)
  return oneLine(withoutTags(decoded.includes('&') ? decodeHTML(decoded) : decoded, ' '))
}

/** The same for long texts; the ends of paragraphs become ends of lines. */
export function plainLines(value: string): string {
  const marked = /<\/?[a-z]/i.test(value)
    ? withoutTags(value.replace(/<(?:\/(?:p|div|h\d|li|tr)|br\s*\/?)>/gi, '\n'), ' ')
    : value
  const decoded = marked.includes('&') ? decodeHTML(marked) : marked
  return decoded
    .split(/[\n\r\u2028\u2029]+/)
    .map(oneLine)
    .filter((line) => line !== '')
    .join('\n')
}

function withoutTags(text: string, instead: string): string {
  return text.replace(/<\/?[a-z][^<>]{0,2000}>/gi, instead)
}
