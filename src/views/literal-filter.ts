/**
 * Checks hits of words whose signs matter (C++, .NET) against the texts of the entries: the index knows only their letters. The number of
 * checked entries is limited, best first; the others count as no match.
 */
import { type Entry, type EntryId, UNKNOWN_LANGUAGE, type UserId } from '../model/index.ts'
import { containsLiteral, type SearchQuery } from '../ports/index.ts'
import { type Catalogues, searchedTexts } from './entry-texts.ts'
import { highlightsIn } from './snippet.ts'

/** Whether a text matches the literals of a query. */
export type TextTest = (text: string, language: string) => boolean

const MAX_CHECKED = 1000
/** Entries whose texts are in memory at once. */
const CHUNK = 50

/** Undefined if the query has no literals. */
export function textTest({ all }: SearchQuery, excluded: readonly string[]): TextTest | undefined {
  const clauses = all.filter((clause) => clause.some((term) => term.kind === 'words' && term.literal !== undefined))
  if (clauses.length === 0 && excluded.length === 0) return undefined
  return (text, language) =>
    !excluded.some((literal) => containsLiteral(text, literal)) &&
    clauses.every((clause) =>
      clause.some((term) => {
        if (term.kind !== 'words') return true // joined by OR with a filter, which the index has applied
        return term.literal === undefined
          ? highlightsIn(text, [term], language).length > 0
          : containsLiteral(text, term.literal, term.isOpen)
      }),
    )
}

/** Filters hits by what the index does not know. */
export interface HitFilter {
  matching(ids: EntryId[]): Promise<EntryId[]>
  /** More entries were to be checked than the limit. */
  isExhausted(): boolean
}

export function createLiteralFilter(matchesText: TextTest, stores: Catalogues, reader: UserId | undefined): HitFilter {
  const known = new Map<EntryId, boolean>()
  let isExhausted = false

  async function check(ids: EntryId[]): Promise<void> {
    const entries = await stores.catalogue.entriesById(ids)
    const existing = entries.filter((entry): entry is Entry => entry !== undefined)
    const texts = await searchedTexts(existing, stores, reader)
    for (const id of ids) known.set(id, false)
    for (const [i, entry] of existing.entries()) {
      const { id, title, author = '', people = [], tags = [], language = UNKNOWN_LANGUAGE } = entry
      const all = [title, texts[i], author, ...people.map(({ name }) => name ?? ''), ...tags]
      known.set(id, matchesText(all.join('\n'), language))
    }
  }

  return {
    async matching(ids) {
      const unknown = ids.filter((id) => !known.has(id))
      const checked = unknown.slice(0, Math.max(0, MAX_CHECKED - known.size))
      isExhausted ||= checked.length < unknown.length
      for (let i = 0; i < checked.length; i += CHUNK) await check(checked.slice(i, i + CHUNK))
      return ids.filter((id) => known.get(id) === true)
    },
    isExhausted: () => isExhausted,
  }
}
