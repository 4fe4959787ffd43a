/** The JSON shape of an entry, in lists and with details. */
import type { EntryDetailsShape, EntryShape } from '../../api/index.ts'
import { plainSignature, type ShownWithout } from '../../dedup/index.ts'
import { plainText } from '../../feeds/index.ts'
import {
  type Entry,
  type EntryState,
  type EntryVersion,
  type Group,
  recordingOf,
  sortAt,
  sortBy,
  UNCATEGORIZED,
  UNKNOWN_LANGUAGE,
} from '../../model/index.ts'
import type { ArticleOfEntry } from '../article-of-entry.ts'
import { feedHtml, shownTitle, textToShow } from '../entry-text.ts'
import { pictureOfFeed } from '../pictures.ts'
import { isoDate, isoOrUndefined, omitUndefined } from './values.ts'

export interface EntryContext {
  feedTitle?: string | undefined
  /** The entry's group of copies. */
  copies?: Group | undefined
  /** Read and starred state of the caller. */
  state?: EntryState | undefined
  /** Removes the boilerplate of its feed; without it the entry is unchanged. */
  boilerplate?: ShownWithout | undefined
  /** The address of the picture that represents it; by default the one that its feed gives. */
  picture?: string | undefined
  /** The beginning of its text. */
  excerpt?: string | undefined
}

export function entryShape(entry: Entry, context: EntryContext = {}): EntryShape {
  const { feedTitle, copies, boilerplate, state, excerpt, picture = pictureOfFeed(entry) } = context
  const { title, isStandIn } = shownTitle(entry, boilerplate)
  return {
    id: entry.id,
    feedId: entry.feedId,
    ...omitUndefined({ feedTitle, url: entry.url }),
    title,
    ...(isStandIn ? { untitled: true as const } : title !== entry.title && { titleInFeed: entry.title }),
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
    ...omitUndefined({ tags: entry.tags, picture, excerpt, recording: recordingShape(entry) }),
    ...(copies && copies.primaryId !== entry.id && { copyOf: copies.primaryId }),
    ...(copies && { copies: copies.size - 1 }),
    ...(state?.read !== undefined && { read: state.read }),
    ...(state?.starred && { starred: true }),
    ...omitUndefined({ labels: state?.labels, muted: state?.muted }),
  }
}

function simhashOf({ title, summary, content }: Entry): string {
  const { simhash } = plainSignature({ title, summary: summary ?? content ?? '' })
  return simhash.toString(16).padStart(16, '0')
}

function recordingShape({ media, podcast }: Entry): EntryShape['recording'] {
  const { kind, url, durationMs = podcast?.durationMs } = recordingOf(media) ?? {}
  return url !== undefined && (kind === 'audio' || kind === 'video')
    ? { kind, url, ...omitUndefined({ durationMs }) }
    : undefined
}

export function entryDetailsShape(
  entry: Entry,
  about: EntryContext & { versions?: EntryVersion[]; article?: ArticleOfEntry | undefined } = {},
): EntryDetailsShape {
  const { versions = [], article, boilerplate } = about
  const { title } = entry
  const content = entry.content && feedHtml(entry.content, entry.url)
  const wholeSummary = entry.summary && feedHtml(entry.summary, entry.url)
  const summary = boilerplate && wholeSummary ? boilerplate.html({ title, html: wholeSummary }) : wholeSummary
  const page = article?.shape.state === 'read' ? article.shape.html : undefined
  const textOf = (heading: string, html: string) => {
    const text = plainText(html)
    return boilerplate && entry.content === undefined ? boilerplate.text({ title: heading, text }) : text
  }
  return {
    ...entryShape(entry, about),
    ...omitUndefined({
      summary: summary || undefined,
      content,
      text: textOf(title, entry.content ?? entry.summary ?? '') || undefined,
      shownText: textToShow({ entry, feed: content ?? summary ?? '', article: article?.article, page }),
      media: entry.media,
      people: entry.people,
      comments: entry.comments,
      place: entry.place,
      licence: entry.licence,
      podcast: entry.podcast,
      article: article?.shape,
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
