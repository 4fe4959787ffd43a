/** An entry as our JSON has it: in lists, and whole. */
import type { EntryArticleShape, EntryDetailsShape, EntryShape } from '../../api/index.ts'
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
import { isoDate, isoOrUndefined, omitUndefined } from './values.ts'

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
    ...omitUndefined({ feedTitle, url: entry.url }),
    title,
    ...(title !== entry.title && { titleInFeed: entry.title }),
    ...omitUndefined({
      author: entry.author,
      publishedAt: isoOrUndefined(entry.publishedAt),
      updatedAt: isoOrUndefined(entry.updatedAt),
      dateOnly: entry.dateOnly,
      dateFault: entry.dateFault,
    }),
    language: entry.language ?? UNKNOWN_LANGUAGE,
    category: entry.category ?? UNCATEGORIZED,
    seenAt: isoDate(entry.seenAt),
    listedAt: isoDate(sortAt(entry, entry.seenAt)),
    listedBy: sortBy(entry),
    ...omitUndefined({ changedAt: isoOrUndefined(entry.changedAt) }),
    ...omitUndefined({ tags: entry.tags, picture: bestPicture(entry.media)?.url, recording: recordingShape(entry) }),
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

export function entryDetailsShape(
  entry: Entry,
  about: AboutEntry & { versions?: EntryVersion[]; article?: EntryArticleShape | undefined } = {},
): EntryDetailsShape {
  const { versions = [], article, own } = about
  const { title, content } = entry
  const summary = entry.summary && sanitise(entry.summary, entry.url)
  const textOf = (heading: string, html: string) => {
    const text = plainText(html)
    return own && content === undefined ? own.text({ title: heading, text }) : text
  }
  return {
    ...entryShape(entry, about),
    ...omitUndefined({
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
        until: isoDate(until),
        ...(body !== undefined && { text: textOf(version.title, body) }),
      })),
    }),
  }
}
