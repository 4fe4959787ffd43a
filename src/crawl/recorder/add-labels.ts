/** Gives entries the labels of their duplicates, and mutes them if these were muted. */
import type { EntryId, EntryState, Instant, UserId } from '../../model/index.ts'
import type { ReaderState } from '../../ports/index.ts'

export interface LabeledEntry extends Pick<EntryState, 'labels' | 'muted'> {
  id: EntryId
}

export async function addLabels(
  readerState: Pick<ReaderState, 'labelEntries' | 'muteEntries'>,
  userId: UserId,
  entries: readonly LabeledEntry[],
  at: Instant,
): Promise<void> {
  const idsByLabels = new Map<string, { labels: string[]; ids: EntryId[] }>()
  for (const { id, labels } of entries) {
    if (!labels) continue
    const key = JSON.stringify(labels)
    idsByLabels.set(key, { labels, ids: [...(idsByLabels.get(key)?.ids ?? []), id] })
  }
  for (const { labels, ids } of idsByLabels.values()) await readerState.labelEntries(userId, ids, { add: labels }, at)
  const muted = entries.flatMap(({ id, muted }) => (muted ? [id] : []))
  if (muted.length > 0) await readerState.muteEntries(userId, muted, true, at)
}
