import { expect, it } from 'vitest'
import { readLanguageTables } from '../languages/index.ts'
import { createLanguageLoader } from './load-language-of.ts'

it('loads the language tables once, and tries again after a failure', async () => {
  let reads = 0
  const load = createLanguageLoader(() => {
    reads++
    return reads === 1 ? Promise.reject(new Error('too many open files')) : readLanguageTables()
  })
  await expect(load()).rejects.toThrow('too many open files')
  const [first, second] = await Promise.all([load(), load()])
  expect(first).toBe(second)
  expect(await load()).toBe(first)
  expect(reads).toBe(2)
})
