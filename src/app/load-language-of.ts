/** Loads language detection with its tables on first use, and again after a failure. */
import { createLanguageDetector, type LanguageDetector } from '../articles/index.ts'
import { readLanguageTables } from '../languages/read-language-tables.ts'

/** `(await loadLanguageOf())(text, { page: 'en-US' })` detects the language of a text, whatever its page declares. */
export const loadLanguageOf = createLanguageLoader(readLanguageTables)

/** All callers share one load. After a failure, the next call loads again. */
export function createLanguageLoader(read: typeof readLanguageTables): () => Promise<LanguageDetector> {
  let loading: Promise<LanguageDetector> | undefined
  return () => {
    loading ??= read()
      .then(createLanguageDetector)
      .catch((error: unknown) => {
        loading = undefined
        throw error
      })
    return loading
  }
}
