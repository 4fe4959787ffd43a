/**
 * Formulas. MathML is foreign to HTML, so none of it is written; its pieces in a row would be text ("ab" for a fraction). But
 * most formulas say somewhere what they are in TeX, which people can read: that is written as code, and the pieces only where
 * there is nothing else. KaTeX writes every formula twice, as MathML and for the eye: the second is left out.
 */
import { escapeHtml } from '../output/escape.ts'
import { unwrappedTex } from '../page/formula.ts'
import type { SourceAttributes } from './write-tag.ts'

/** The outermost formula that is open. */
export interface Formula {
  /** How many elements are open round it. */
  depth: number
  /** What was written before it. */
  before: string
  /** Its alternative text. */
  instead: string
  tex: string
}

const ANNOTATIONS: ReadonlySet<string> = new Set(['annotation', 'annotation-xml'])

/** Says the formula once more, in another language than MathML's. */
export function isAnnotation(name: string): boolean {
  return ANNOTATIONS.has(name)
}

/** Whether what stands in an <annotation> is the formula in TeX. */
export function isTex(given: SourceAttributes): boolean {
  return /tex/i.test(given.get('encoding') ?? '')
}

/** What the formula becomes: `pieces` is its text, as it was written so far. */
export function formulaHtml({ tex, instead }: Formula, pieces: string): string {
  const plain = unwrappedTex(tex.trim() || instead.trim())
  return plain === '' ? pieces : `<code>${escapeHtml(plain)}</code>`
}

/** The part of KaTeX that is for the eye. */
export function isShownTwice(given: SourceAttributes): boolean {
  return /(?:^|\s)katex-html(?:\s|$)/.test(given.get('class') ?? '')
}
