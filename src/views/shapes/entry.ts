/** An entry as our JSON has it: in lists, and whole. */
import type { EntryArticleShape, EntryShape, WholeEntryShape } from '../../api/index.ts'
import { categoryOf, sanitise } from '../../articles/index.ts'
import { plainText } from '../../feeds/index.ts'
import {
  bestPicture,
  type Entry,
  type EntryVersion,
  type Group,
  recordingOf,
  sortAt,
  sortBy,
} from '../../model/index.ts'
import { iso, isoIfAny, present } from './present.ts'

/** What nobody knows (Adam et al. 2009). */
const ENGLISH = 'en'
const UNCATEGORIZED = categoryOf([], []).value

/** `copies`: the group of copies that it belongs to. */
export function entryShape(entry: Entry, feedTitle?: string, copies?: Group): EntryShape {
  return {
    id: entry.id,
    feedId: entry.feedId,
    ...present({ feedTitle, url: entry.url }),
    title: entry.title,
    ...present({
      author: entry.author,
      publishedAt: isoIfAny(entry.publishedAt),
      updatedAt: isoIfAny(entry.updatedAt),
      dateOnly: entry.dateOnly,
      dateFault: entry.dateFault,
    }),
    language: entry.language ?? ENGLISH,
    category: entry.category ?? UNCATEGORIZED,
    seenAt: iso(entry.seenAt),
    listedAt: iso(sortAt(entry, entry.seenAt)),
    listedBy: sortBy(entry),
    ...present({ changedAt: isoIfAny(entry.changedAt) }),
    ...present({ tags: entry.tags, picture: bestPicture(entry.media)?.url, recording: recordingShape(entry) }),
    ...(copies && copies.primaryId !== entry.id && { copyOf: copies.primaryId }),
    ...(copies && { copies: copies.size - 1 }),
  }
}

function recordingShape({ media }: Entry): EntryShape['recording'] {
  const { kind, url } = recordingOf(media) ?? {}
  return url !== undefined && (kind === 'audio' || kind === 'video') ? { kind, url } : undefined
}

export function wholeEntryShape(
  entry: Entry,
  {
    feedTitle,
    versions = [],
    article,
    copies,
  }: {
    feedTitle?: string | undefined
    versions?: EntryVersion[]
    article?: EntryArticleShape | undefined
    copies?: Group | undefined
  } = {},
): WholeEntryShape {
  const safe = (html: string | undefined) => html && sanitise(html, entry.url)
  return {
    ...entryShape(entry, feedTitle, copies),
    ...present({
      summary: safe(entry.summary),
      content: safe(entry.content),
      text: plainText(entry.content ?? entry.summary ?? '') || undefined,
      media: entry.media,
      people: entry.people,
      comments: entry.comments,
      place: entry.place,
      licence: entry.licence,
      podcast: entry.podcast,
      article,
    }),
    ...(versions.length > 0 && { versions: versions.map((version) => ({ ...version, until: iso(version.until) })) }),
  }
}
