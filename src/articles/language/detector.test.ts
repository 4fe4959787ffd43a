/** Compares our results with those of eld. */
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

test('has the languages of eld', () => {
  expect(new Set(detector.languages)).toEqual(DETECTED)
})

test.each(TEXTS)('scores like eld: %s', (text) => {
  const ownScores = ranked(detector, text)
  const eldScores = eld.detect(text).getScores()
  expect(ownScores[0]?.[0]).toBe(Object.keys(eldScores)[0])
  for (const [language, mean] of ownScores) expect(mean / (mean + 25)).toBeCloseTo(eldScores[language] ?? 0, 2)
})

test('keeps no state between texts', () => {
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
