import { expect, test } from 'vitest'
import { readLanguageTables } from '../src/languages/index.ts'
import { languageTables } from './language-tables.ts'

test('the tables that we keep are those of eld, byte for byte', async () => {
  const [stored, generated] = [Buffer.from(await readLanguageTables()), Buffer.from(await languageTables())]
  expect(generated.length).toBe(stored.length)
  expect(generated.equals(stored)).toBe(true) // a failed comparison would print a million lines
})
