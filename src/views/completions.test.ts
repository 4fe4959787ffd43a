/** Completions of a query that is being typed. */
import { expect, it } from 'vitest'
import { completionsOf } from './completions.ts'

const RESULTS = [
  'Oil prices rise as prices rise',
  'Prices of oil: the oil priest',
  'Pricing of oil prices',
  'Prélude, São Paulo: NASA and NATO',
]

it.each([
  ['oil pric', ['oil prices', 'oil Pricing', '"oil prices"']],
  ['pri', ['prices', 'priest', 'Pricing']],
  ['PRI', ['prices', 'priest', 'Pricing']],
  ['cheap "oil pri', ['cheap "oil prices"', 'cheap "oil priest"', 'cheap "oil Pricing"']],
  ['prel', ['Prélude']],
  ['na', ['NASA', 'NATO']],
  ['p', []],
  ['oil ', []],
  ['feed:pri', []],
  ['oil -pri', []],
  ['zebra', []],
  ['', []],
])('completes %j', (query, completions) => {
  expect(completionsOf(query, RESULTS)).toEqual(completions)
})
