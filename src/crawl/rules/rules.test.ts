import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('every rule of docs/politeness-rules.md has one test that bears its number and its name, and no other has', () => {
  const here = new URL('.', import.meta.url)
  const tests = readdirSync(here).map((name) => readFileSync(new URL(name, here), 'utf8'))
  const named = tests.flatMap((text) => [...text.matchAll(/\bit\(\s*'rule (\d+): ((?:[^'\\]|\\.)+)'/g)])
  const inDocs = readFileSync(new URL('../../../docs/politeness-rules.md', here), 'utf8').matchAll(/^(\d+)\. (.+)\.$/gm)
  const byNumber = (rules: Iterable<RegExpMatchArray>) =>
    [...rules].map(([, number, name]) => `${number}. ${name?.toLowerCase()}`).sort()
  expect(byNumber(named)).toEqual(byNumber(inDocs))
  const numbers = named.map(([, number]) => Number(number)).sort((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: 52 }, (_, i) => i + 1))
})
