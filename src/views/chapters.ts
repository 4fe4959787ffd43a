/** The chapters of an entry's recording: those at the address that its feed gives, else those in its show notes. */
import type { ChaptersShape } from '../api/index.ts'
import { chaptersInText, mayBeChapters, readChapters } from '../articles/index.ts'
import { plainText } from '../feeds/index.ts'
import { type Entry, recordingOf, SECOND } from '../model/index.ts'
import { feedHtml } from './entry-text.ts'

export { mayBeChapters }

type Chapters = ChaptersShape['chapters']

/** Undefined if the document has no chapters. */
export function chaptersInDocument(document: string): Chapters | undefined {
  const chapters = readChapters(document)
  return chapters && chapters.length > 0 ? chapters : undefined
}

/** `stated`: those at the address in the feed, if they could be fetched. */
export function chaptersOfEntry(entry: Entry, stated: Chapters | undefined): ChaptersShape {
  if (stated) return { chapters: stated, from: 'feed' }
  const { content, summary, url, media, podcast } = entry
  const durationMs = recordingOf(media)?.durationMs ?? podcast?.durationMs
  const notes = plainText(feedHtml(content ?? summary ?? '', url))
  return { chapters: chaptersInText(notes, durationMs === undefined ? undefined : durationMs / SECOND), from: 'notes' }
}
