/**
 * The text of a MathML formula on one line: its TeX annotation, its alternative text, or its symbols in a row. Without it,
 * sentences would have gaps.
 */
import { decodeHTML } from 'entities'

/** `source`: from the start tag of <math> to before its end tag. */
export function formulaText(source: string): string {
  const tex = /<annotation\s[^<>]*tex[^<>]*>([^<]*)/i.exec(source)?.[1]
  const alternative = /^[^<>]*\salttext\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(source)
  const formula = tex ?? alternative?.[1] ?? alternative?.[2]
  if (formula?.trim()) return unwrappedTex(decodeHTML(formula).trim())
  return decodeHTML(source.replace(/<annotation[\s\S]*$/i, '').replace(/^[^>]*>|<[^<>]*>/g, ' '))
    .replace(/[\u2061-\u2064]/g, '')
    .trim()
}

/** "{\displaystyle a=b}" becomes "a=b". */
export function unwrappedTex(tex: string): string {
  return /^\{\\(?:display|text)style\s/.test(tex) && tex.endsWith('}')
    ? tex.slice(tex.indexOf('style') + 6, -1).trim()
    : tex
}
