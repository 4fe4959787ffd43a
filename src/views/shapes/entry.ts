/** An entry as our JSON has it: in lists, and whole. */
import type { EntryArticleShape, EntryShape, WholeEntryShape } from '../../api/index.ts'
import { sanitise } from '../../articles/index.ts'
import { plainSignature, type ShownWithout } from '../../dedup/index.ts'
import { plainText } from '../../feeds/index.ts'
import {
  bestPicture,
  type Entry,
  type EntryMarks,
  type EntryVersion,
  type Group,
  recordingOf,
  sortAt,
  sortBy,
  UNCATEGORIZED,
  UNKNOWN_LANGUAGE,
} from '../../model/index.ts'
import { iso, isoIfAny, present } from './present.ts'

export interface AboutEntry {
  feedTitle?: string | undefined
  /** The group of copies that it belongs to. */
  copies?: Group | undefined
  /** Of who asks. */
  marks?: EntryMarks | undefined
  /** Takes off what its feed always says; without it the entry is shown whole. */
  own?: ShownWithout | undefined
}

export function entryShape(entry: Entry, { feedTitle, copies, own, marks }: AboutEntry = {}): EntryShape {
  const title = own?.title(entry.title) ?? entry.title
  return {
    id: entry.id,
    feedId: entry.feedId,
    ...present({ feedTitle, url: entry.url }),
    title,
    ...(title !== entry.title && { titleInFeed: entry.title }),
    ...present({
      author: entry.author,
      publishedAt: isoIfAny(entry.publishedAt),
      updatedAt: isoIfAny(entry.updatedAt),
      dateOnly: entry.dateOnly,
      dateFault: entry.dateFault,
    }),
    language: entry.language ?? UNKNOWN_LANGUAGE,
    category: entry.category ?? UNCATEGORIZED,
    seenAt: iso(entry.seenAt),
    listedAt: iso(sortAt(entry, entry.seenAt)),
    listedBy: sortBy(entry),
    ...present({ changedAt: isoIfAny(entry.changedAt) }),
    ...present({ tags: entry.tags, picture: bestPicture(entry.media)?.url, recording: recordingShape(entry) }),
    ...(copies && copies.primaryId !== entry.id && { copyOf: copies.primaryId }),
    ...(copies && { copies: copies.size - 1 }),
    ...(marks?.read !== undefined && { read: marks.read }),
    ...(marks?.starred && { starred: true }),
  }
}

function simhashOf({ title, summary, content }: Entry): string {
  const { simhash } = plainSignature({ title, summary: summary ?? content ?? '' })
  return simhash.toString(16).padStart(16, '0')
}

function recordingShape({ media }: Entry): EntryShape['recording'] {
  const { kind, url } = recordingOf(media) ?? {}
  return url !== undefined && (kind === 'audio' || kind === 'video') ? { kind, url } : undefined
}

export function wholeEntryShape(
  entry: Entry,
  about: AboutEntry & { versions?: EntryVersion[]; article?: EntryArticleShape | undefined } = {},
): WholeEntryShape {
  const { versions = [], article, own } = about
  const { title, content } = entry
  const summary = entry.summary && sanitise(entry.summary, entry.url)
  const textOf = (heading: string, html: string) => {
    const text = plainText(html)
    return own && content === undefined ? own.text({ title: heading, text }) : text
  }
  return {
    ...entryShape(entry, about),
    ...present({
      summary: own && summary ? own.html({ title, html: summary }) || undefined : summary,
      content: content && sanitise(content, entry.url),
      text: textOf(title, content ?? entry.summary ?? '') || undefined,
      media: entry.media,
      people: entry.people,
      comments: entry.comments,
      place: entry.place,
      licence: entry.licence,
      podcast: entry.podcast,
      article,
    }),
    simhash: simhashOf(entry),
    ...(versions.length > 0 && {
      versions: versions.map(({ body, until, ...version }) => ({
        ...version,
        until: iso(until),
        ...(body !== undefined && { text: textOf(version.title, body) }),
      })),
    }),
  }
}
