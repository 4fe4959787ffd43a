/** An entry as our JSON has it: in lists, and whole. */
import { categoryOf, sanitise } from '../../articles/index.ts'
import { plainSignature, type ShownWithout } from '../../dedup/index.ts'
import { plainText } from '../../feeds/index.ts'
import {
  bestPicture,
  type Entry,
  type EntryVersion,
  type Episode,
  type Group,
  type ListedBy,
  type Medium,
  recordingOf,
  sortAt,
  sortBy,
} from '../../model/index.ts'
import type { EntryArticleShape } from './article.ts'
import { iso, isoIfAny, present } from './present.ts'

export interface EntryShape {
  id: number
  feedId: number
  feedTitle?: string
  url?: string
  /** Without the label that its feed gives to most of its headlines. */
  title: string
  /** As the feed has it, where that is otherwise. */
  titleInFeed?: string
  author?: string
  publishedAt?: string
  updatedAt?: string
  /** The feed gives a day and no time of day. */
  dateOnly?: true
  /** The feed's date could not be: it lay ahead, and is now when we saw it; or it was never set, and was left out. */
  dateFault?: 'future' | 'ancient'
  /** Of its text, as far as that tells; "en" where nobody knows. */
  language: string
  category: string
  seenAt: string
  /** Where it stands in time, and by what: its feed's dates, else its page, its address, its neighbours or its place in the document. */
  listedAt: string
  listedBy: ListedBy
  changedAt?: string
  /** As its publisher wrote them. */
  tags?: string[]
  /** The address of the best picture that comes with it. */
  picture?: string
  /** What is to be heard or seen of it, its publisher's first choice. */
  recording?: { kind: 'audio' | 'video'; url: string }
  /** The entry that speaks for it, if it is a copy; and how many entries say the same besides this one. */
  copyOf?: number
  copies?: number
}

/** `summary` and `content` are the feed's HTML, made safe for a browser; the summary without what the feed always says. */
export interface WholeEntryShape extends EntryShape {
  summary?: string
  content?: string
  /** The content, else the summary, without its markup. */
  text?: string
  /** Files and pictures, each with its kind (audio, video, image, document, other) and what is known of it. */
  media?: Medium[]
  people?: { name?: string; email?: string; url?: string; role: string; image?: string }[]
  comments?: { url?: string; feedUrl?: string; count?: number }
  place?: { latitude: number; longitude: number }
  /** Its address if it has one. */
  licence?: string
  /** What a podcast says of an episode. */
  podcast?: Episode
  /** Of title and description as they came, 64 bits in hexadecimal (Yu, Cheng and Hristidis). */
  simhash: string
  /** The page that it points at, where that was wanted. */
  article?: EntryArticleShape
  /** What it said before, oldest first. */
  versions?: { title: string; url?: string; until: string }[]
}

/** What nobody knows (Adam et al. 2009). */
const ENGLISH = 'en'
const UNCATEGORIZED = categoryOf([], []).value

export interface AboutEntry {
  feedTitle?: string | undefined
  /** The group of copies that it belongs to. */
  copies?: Group | undefined
  /** Takes off what its feed always says; without it the entry is shown whole. */
  own?: ShownWithout | undefined
}

export function entryShape(entry: Entry, { feedTitle, copies, own }: AboutEntry = {}): EntryShape {
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
  const text = plainText(content ?? entry.summary ?? '')
  return {
    ...entryShape(entry, about),
    ...present({
      summary: own && summary ? own.html({ title, html: summary }) || undefined : summary,
      content: content && sanitise(content, entry.url),
      text: (own && content === undefined ? own.text({ title, text }) : text) || undefined,
      media: entry.media,
      people: entry.people,
      comments: entry.comments,
      place: entry.place,
      licence: entry.licence,
      podcast: entry.podcast,
      article,
    }),
    simhash: simhashOf(entry),
    ...(versions.length > 0 && { versions: versions.map((version) => ({ ...version, until: iso(version.until) })) }),
  }
}
