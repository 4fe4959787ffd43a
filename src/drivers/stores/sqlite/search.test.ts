/** Whatever people type: FTS5 has a language of its own, and nothing typed may come out as a sentence of it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { EntryId, FeedId } from '../../../model/index.ts'
import { openSqliteStore } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
const { store, search } = openSqliteStore({ file: join(folder, 'store.db'), mode: 'write', now: () => 0 })
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const of = { feedId: 1 as FeedId, at: 0 }

const SIGNS = [
  '"',
  '*',
  '-',
  '(',
  ')',
  '{',
  '}',
  ':',
  '^',
  '+',
  ',',
  "'",
  '\\',
  '\0',
  '\ud800',
  ' ',
  'AND',
  'NOT',
  'NEAR',
  'a',
]

it('never fails on a query', async () => {
  await search.put([{ id: 1 as EntryId, ...of, title: 'a and b', text: 'not near' }])
  const typed = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(fc.constantFrom(...SIGNS), { maxLength: 30 }).map((parts) => parts.join('')),
  )
  await fc.assert(
    fc.asyncProperty(typed, async (query) => {
      expect((await search.find(query, 9)).length).toBeLessThan(2)
    }),
    { numRuns: 2000 },
  )
})

it('finds any word it was given, by that word', async () => {
  const word = fc.stringMatching(/^[a-zäöüßéøłşçñ0-9а-яα-ω]{1,12}$/)
  await fc.assert(
    fc.asyncProperty(word, async (title) => {
      await search.put([{ id: 7 as EntryId, ...of, title, text: '' }])
      expect((await search.find(title, 9)).map((hit) => hit.id)).toContain(7)
      expect((await search.find(title.toUpperCase(), 9)).map((hit) => hit.id)).toContain(7)
    }),
    { numRuns: 300 },
  )
})
