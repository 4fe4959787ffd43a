import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { shellWord } from './shell-word.ts'

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

describe('a word of a command to paste', () => {
  it.each(NASTY)('is to a shell what it is: %j', (text) => {
    const said = execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })
    expect(said).toBe(text.replace('\t', ' '))
  })

  it('stays as it is where a shell would not mind', () => {
    expect(shellWord('https://example.org/feed.xml')).toBe('https://example.org/feed.xml')
  })

  it('ends no line', () => {
    expect(shellWord('a\nrm -rf x')).toBe("'a rm -rf x'")
  })
})
