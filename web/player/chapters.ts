/** Chapters of entries, loaded once. */
import type { ChaptersShape } from '../../src/api/index.ts'
import { api } from '../shell/api.ts'

export type Chapter = ChaptersShape['chapters'][number]

const MOST_KEPT = 30
const kept = new Map<number, Promise<readonly Chapter[]>>()

/** Empty if there are none, or if they cannot be loaded. */
export function chaptersOf(entryId: number): Promise<readonly Chapter[]> {
  const known = kept.get(entryId)
  if (known) return known
  const loading = api.getChapters({ params: { id: entryId } }).then(
    ({ chapters }) => chapters,
    () => {
      kept.delete(entryId)
      return []
    },
  )
  kept.set(entryId, loading)
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  return loading
}

/** The index of the chapter at a position; -1 before the first. */
export function chapterAt(chapters: readonly Chapter[], seconds: number): number {
  return chapters.findLastIndex(({ startSeconds }) => startSeconds <= seconds)
}
