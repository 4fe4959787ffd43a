import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { quoteForShell } from './quote-for-shell.ts'

const NASTY = [
  'https://example.org/feed?a=1&b=2',
  'https://example.org/$(touch$IFS/tmp/x)',
  'https://example.org/`id`',
  "https://example.org/it's';id;'",
  "'",
  '"$HOME"',
  'a\\b',
  '~root',
  '-rf',
  '',
  '!!',
  'a b\tc',
  '*',
  'a;b|c>d<e(f)#g',
  'é 河',
]

describe('quoteForShell', () => {
  it.each(NASTY)('passes %j to a shell unchanged', (text) => {
    const printed = execFileSync('sh', ['-c', `printf %s ${quoteForShell(text)}`], { encoding: 'utf8' })
    expect(printed).toBe(text.replace('\t', ' '))
  })

  it('leaves plain words unquoted', () => {
    expect(quoteForShell('https://example.org/feed.xml')).toBe('https://example.org/feed.xml')
  })

  it('removes line breaks', () => {
    expect(quoteForShell('a\nrm -rf x')).toBe("'a rm -rf x'")
  })
})
