import { expect, test } from 'vitest'
import type { RewriteRule } from '../model/index.ts'
import { compileRewrites, type Rewrite } from './rewrite.ts'

function compiled(...rules: RewriteRule[]): Rewrite {
  const rewrite = compileRewrites(rules)
  if ('fault' in rewrite) throw new Error(rewrite.fault)
  return rewrite
}

const title = (find: string, replace: string): RewriteRule => ({ part: 'title', find, replace })

test.each([
  ['Ad: Ferries', title('^Ad: ', ''), 'Ferries'],
  ['a-b-c', title('-', ' '), 'a b c'],
  ['Ferries (Gazette)', title('(?i)\\s*\\(gazette\\)$', ''), 'Ferries'],
  ['17: Tides', title('^(\\d+): (.*)$', '$2, no. $1'), 'Tides, no. 17'],
  ['nothing matches', title('x+', 'y'), 'nothing matches'],
  ['all of it', title('.*', ''), 'all of it'],
  ['a price', title('a', 'US$ $5'), 'US$ $5 price'],
])('rewrites the title %j', (text, rule, expected) => {
  expect(compiled(rule)('title', text)).toBe(expected)
})

test('applies the rules of a part in order, and those of the other part not at all', () => {
  const rewrite = compiled(
    { part: 'link', find: '^https://amp\\.', replace: 'https://' },
    { part: 'link', find: '\\?.*$', replace: '' },
    title('.', 'x'),
  )
  expect(rewrite('link', 'https://amp.news.example/1?from=feed')).toBe('https://news.example/1')
})

test('takes linear time, and limits the result', () => {
  const rewrite = compiled(title('(a*)*b', 'c'), title('', 'x'.repeat(300)))
  const startedAt = performance.now()
  expect(rewrite('title', 'a'.repeat(15_000)).length).toBe(4000)
  expect(performance.now() - startedAt).toBeLessThan(5000)
})

test.each(['(', '(a)\\1', `${'a'.repeat(301)}`, '((a{1,90}){1,90}){1,90}'])('rejects %j', (find) => {
  expect(compileRewrites([title(find, '')])).toHaveProperty('fault')
})
