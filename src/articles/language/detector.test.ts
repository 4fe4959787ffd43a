/** eld itself is asked the same: what we read of its tables, and how, must come to what it says. */
import { eld } from 'eld/extrasmall'
import { expect, test } from 'vitest'
import { readLanguageTables } from '../../languages/index.ts'
import { createDetector, DETECTED, type Detector } from './detector.ts'
import { readNgramTables } from './ngram-tables.ts'
import { HEADLINES, SENTENCES } from './sentences.fixture.ts'

const detector = createDetector(readNgramTables(await readLanguageTables()))

const TEXTS = [
  ...Object.values(HEADLINES),
  ...Object.values(SENTENCES),
  "L'été qu’on n'a pas vu, aujourd'hui 'ou demain' — c’est l' \"année\"",
  'A1b2, http://example.org/?q=1&r=2 & 300 € an das Straßenbahndepot 😀 gezahlt',
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung und so weiter',
  'the quick brown goose '.repeat(40),
]

test('knows the languages that eld knows', () => {
  expect(new Set(detector.languages)).toEqual(DETECTED)
})

test.each(TEXTS)('scores as eld does: %s', (text) => {
  const own = ranked(detector, text)
  const theirs = eld.detect(text).getScores()
  expect(own[0]?.[0]).toBe(Object.keys(theirs)[0])
  for (const [language, mean] of own) expect(mean / (mean + 25)).toBeCloseTo(theirs[language] ?? 0, 2)
})

test('a text leaves nothing behind for the next', () => {
  const [once, again] = [detector.scores(SENTENCES.de!), detector.scores(SENTENCES.de!)]
  expect(again).toEqual(once)
})

function ranked({ languages, scores }: Detector, text: string): [language: string, mean: number][] {
  const means = scores(text)
  return languages
    .map((language, i): [string, number] => [language, means[i]!])
    .filter(([, mean]) => mean > 0)
    .sort(([, a], [, b]) => b - a)
}
