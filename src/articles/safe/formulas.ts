/**
 * Formulas. MathML is foreign content in HTML, so it is never written, and its parts in a row would be misleading text ("ab"
 * for a fraction). Most formulas include their TeX, which readers can understand: it is written as code; the parts are used
 * only if there is no TeX. KaTeX writes every formula twice, as MathML and as styled HTML: the second is dropped.
 */
import { escapeHtml } from '../output/escape.ts'
import { unwrappedTex } from '../page/formula.ts'
import type { SourceAttributes } from './write-tag.ts'

/** The outermost open formula. */
export interface Formula {
  /** Number of open elements around it. */
  depth: number
  /** Output before it. */
  before: string
  /** Its alternative text. */
  instead: string
  tex: string
}

const ANNOTATIONS: ReadonlySet<string> = new Set(['annotation', 'annotation-xml'])

/** Repeats the formula in another notation than MathML. */
export function isAnnotation(name: string): boolean {
  return ANNOTATIONS.has(name)
}

/** Whether the content of an <annotation> is TeX. */
export function isTex(attributes: SourceAttributes): boolean {
  return /tex/i.test(attributes.get('encoding') ?? '')
}

/** The output for a formula; `symbols` is its text so far. */
export function formulaHtml({ tex, instead }: Formula, symbols: string): string {
  const plain = unwrappedTex(tex.trim() || instead.trim())
  return plain === '' ? symbols : `<code>${escapeHtml(plain)}</code>`
}

/** KaTeX's styled copy of the formula. */
export function isShownTwice(attributes: SourceAttributes): boolean {
  return /(?:^|\s)katex-html(?:\s|$)/.test(attributes.get('class') ?? '')
}
