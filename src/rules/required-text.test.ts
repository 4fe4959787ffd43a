import fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { foldCase, requiredText } from './required-text.ts'

test.each([
  ['sponsored', 'sponsored'],
  ['^Sponsored:', 'sponsored:'],
  ['\\bferr(y|ies)\\b.*harbou?r', 'harbo'],
  ['(?i)Flood', 'flood'],
  ['a\\.b\\.c', 'a.b.c'],
  ['abcd+e', 'abcd'],
  ['abcd{0,3}e', 'abc'],
  ['abcd?', 'abc'],
  ['[[:alpha:]]xyz[^]]', 'xyz'],
  ['[]abc]def', 'def'],
  ['café au lait', ' au lait'],
  ['flood|storm', undefined],
  ['(flood|storm)', undefined],
  ['\\x41bcd', undefined],
  ['\\Qabc|d', undefined],
  ['\\p{Greek}abc', undefined],
  ['ab', undefined],
  ['', undefined],
])('%s requires %s', (pattern, text) => {
  expect(requiredText(pattern)).toBe(text)
})

/** Parts of expressions, each with a text that it matches. */
const PIECES: [pattern: string, text: string][] = [
  ...['ask', 'Sk ', 'k', 's', 'é', '1'].map((text): [string, string] => [text, text]),
  ...(['K', 'ſ'] as const).map((text): [string, string] => [text, text]),
  ['ask', 'AſK'],
  ['\\.', '.'],
  ['\\(a', '(a'],
  ['\\d', '7'],
  ['\\b', ''],
  ['.', 'x'],
  ['^', ''],
  ['(ask|ska)', 'ska'],
  ['(?:sk)?', ''],
  ['(?i)', ''],
  ['[a-k]', 'f'],
  ['[^]s]', 'x'],
  ['[]s]', ']'],
  ['[[:alpha:]]', 'z'],
  ['ka?', 'k'],
  ['ka*', 'k'],
  ['ka+', 'kaa'],
  ['a{2}', 'aa'],
  ['ka{0,2}', 'k'],
  ['ask|', ''],
  ['|', ''],
]

function matches(pattern: string, ignoresCase: boolean, text: string): boolean {
  try {
    return RE2JS.compile(pattern, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0).test(text)
  } catch {
    return false
  }
}

test('no text that an expression matches lacks its required text', () => {
  let checked = 0
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }), fc.boolean(), (pieces, ignoresCase) => {
      const pattern = pieces.map(([part]) => part).join('')
      const text = pieces.map(([, part]) => part).join('')
      const required = requiredText(pattern)
      if (required === undefined || !matches(pattern, ignoresCase, text)) return
      checked++
      expect(foldCase(text)).toContain(required)
    }),
    { numRuns: 10_000 },
  )
  expect(checked).toBeGreaterThan(500)
})
