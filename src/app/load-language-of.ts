/** What tells languages apart, and the tables that it needs: read when they are first asked for, and once only. */
import { createLanguageOf, type LanguageOf } from '../articles/index.ts'
import { readLanguageTables } from '../drivers/index.ts'

let loading: Promise<LanguageOf> | undefined

/** `(await loadLanguageOf())(text, { page: 'en-US' })` says which language a text is in, whatever its page claims. */
export function loadLanguageOf(): Promise<LanguageOf> {
  loading ??= readLanguageTables().then(createLanguageOf)
  return loading
}
