/** The languages of the index whose words have inflected forms: forms in other languages would be looked up in vain. */
import { MINUTE } from '../../model/index.ts'
import { INFLECTED_LANGUAGES } from '../../ports/index.ts'
import { facet } from '../sql/search-facets.ts'
import { lexeme } from './search-words.ts'

/** New languages are looked for this often, since another process may add entries. */
const LOOK_MS = MINUTE

export interface IndexedLanguages {
  all(): Promise<ReadonlySet<string>>
  /** Entries were added: looks for new languages next time. */
  forget(): void
}

type Rows = (sql: string, values: unknown[]) => Promise<Record<string, boolean>[]>

export function createIndexedLanguages(rows: Rows): IndexedLanguages {
  /** Once there are entries in a language, there will be. */
  const languages = new Set<string>()
  let lookedAt: number | undefined
  return {
    async all() {
      const now = performance.now()
      const missing = INFLECTED_LANGUAGES.filter((language) => !languages.has(language))
      if (missing.length === 0 || (lookedAt !== undefined && now - lookedAt < LOOK_MS)) return languages
      lookedAt = now
      const exist = missing.map(
        (_, i) => `EXISTS (SELECT 1 FROM entry_search WHERE words @@ $${i + 1}::tsquery) AS has_${i}`,
      )
      const lexemes = missing.map((language) => lexeme(facet('language', language)))
      const [found] = await rows(`SELECT ${exist.join(', ')}`, lexemes)
      for (const [i, language] of missing.entries()) if (found?.[`has_${i}`]) languages.add(language)
      return languages
    },
    forget() {
      lookedAt = undefined
    },
  }
}
