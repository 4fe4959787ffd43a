/** Rewrites titles and links of entries by regular expressions, in linear time. */
import { RE2JS } from 're2js'
import type { RewriteRule } from '../model/index.ts'
import { compilePattern, MAX_PATTERN_TEXT } from './pattern.ts'

/** Characters of a rewritten text. */
const MAX_RESULT = 4000

export type Rewrite = (part: RewriteRule['part'], text: string) => string

/** Applies the rules in order. A rule that leaves nothing of a text is skipped. */
export function compileRewrites(rules: readonly RewriteRule[]): Rewrite | { fault: string } {
  const compiled: { part: RewriteRule['part']; pattern: RE2JS; replace: string }[] = []
  for (const { part, find, replace } of rules) {
    const checked = compilePattern(find, false)
    if ('fault' in checked) return checked
    compiled.push({ part, pattern: RE2JS.compile(find), replace })
  }
  return (part, text) => {
    let result = text
    for (const rule of compiled) {
      if (rule.part !== part || result.length > MAX_PATTERN_TEXT) continue
      const replaced = rule.pattern.matcher(result).replaceAll(rule.replace).trim()
      if (replaced !== '') result = replaced.slice(0, MAX_RESULT).toWellFormed()
    }
    return result
  }
}
