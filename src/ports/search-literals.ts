/**
 * Words whose signs matter: C++, C#, .NET, AT&T, Disney+. The index has their letters only, so its hits are candidates, and a hit counts if
 * its text contains the word as it is typed. Other signs need no such check: F-16 and node.js are phrases of two words.
 */
const LITERAL = /^(?:[\p{L}\p{N}]+(?:\++|#)|\p{L}\+\+\p{N}{1,2}|\.\p{L}[\p{L}\p{N}]*|\p{L}{1,3}&\p{L}{1,3})$/u
const AROUND = /^[("'‘’“”]+|[)"'‘’“”,;:!?]+$/gu

/** The literal of a typed word, in lower case; undefined if its letters say enough. */
export function literalOf(typed: string): string | undefined {
  const word = typed.replace(AROUND, '')
  return LITERAL.test(word) ? word.normalize('NFKC').toLowerCase() : undefined
}

/** Whether a text contains a literal, ignoring case. One that is still being typed (`isOpen`) may go on. */
export function containsLiteral(text: string, literal: string, isOpen = false): boolean {
  const written = text.normalize('NFKC').toLowerCase()
  const signs = literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('&', ' ?& ?')
  const end = isOpen ? '' : /[+#]$/.test(literal) ? '(?![\\p{L}+#])' : '(?![\\p{L}\\p{N}+#])' // C++17 contains C++
  return new RegExp(`(?<![\\p{L}\\p{N}+#])${signs}${end}`, 'u').test(written)
}
