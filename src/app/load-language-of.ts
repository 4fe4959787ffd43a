/** Loads what tells languages apart, with the tables that it needs: when it is first asked for, and again after a failure. */
import { createLanguageOf, type LanguageOf } from '../articles/index.ts'
import { readLanguageTables } from '../languages/read-language-tables.ts'

/** `(await loadLanguageOf())(text, { page: 'en-US' })` says which language a text is in, whatever its page claims. */
export const loadLanguageOf = createLanguageLoader(readLanguageTables)

/** One load for all who ask; a failure is told to them, and the next who asks has it tried again. */
export function createLanguageLoader(read: typeof readLanguageTables): () => Promise<LanguageOf> {
  let loading: Promise<LanguageOf> | undefined
  return () => {
    loading ??= read()
      .then(createLanguageOf)
      .catch((error: unknown) => {
        loading = undefined
        throw error
      })
    return loading
  }
}
