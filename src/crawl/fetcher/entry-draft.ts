/**
 * Converts parsed entries to drafts, which are sent and stored. All texts and lists are limited here, and addresses that are not http(s) are
 * dropped.
 */
import type { Enclosure, FeedCategory, FeedPerson, ParsedEntry } from '../../feeds/index.ts'
import {
  type EntryDraft,
  type EntryExtras,
  type EntryPerson,
  type Episode,
  type Medium,
  mediumKind,
  type WebAddress,
  webAddress,
} from '../../model/index.ts'

/** Characters of one entry's text: the length of a book. Lists hold some hundred entries in memory at once. */
const MAX_TEXT = 500_000
const MAX_LINE = 300
const MAX_TAG = 100
const MAX_URL = 2_000
const MAX_MEDIA = 30
const MAX_TAGS = 50
const MAX_PEOPLE = 20
const MAX_TRANSCRIPTS = 5

export function draftOf(entry: ParsedEntry): EntryDraft {
  const { key, url, title, summary, content, author, publishedAt, updatedAt, dateOnly, language } = entry
  return {
    key,
    title,
    ...(url && { url }),
    ...(summary && { summary: summary.slice(0, MAX_TEXT) }),
    ...(content && { content: content.slice(0, MAX_TEXT) }),
    ...(author && { author }),
    ...(publishedAt !== undefined && { publishedAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(dateOnly && { dateOnly }),
    ...(language && { language }),
    ...extrasIn(entry),
  }
}

/** The tags as the publisher wrote them, without duplicates. */
export function tagsOf(categories: readonly FeedCategory[]): string[] {
  const tags = new Set<string>()
  for (const { term, label } of categories) {
    if (tags.size >= MAX_TAGS) break
    const tag = lineOf(label ?? term, MAX_TAG)
    if (tag) tags.add(tag)
  }
  return [...tags]
}

function extrasIn(entry: ParsedEntry): EntryExtras {
  const { categories, place } = entry
  const tags = categories && tagsOf(categories)
  const media = mediaIn(entry)
  const people = peopleIn(entry)
  const comments = commentsIn(entry)
  const licence = lineOf(entry.licence ?? entry.rights)
  const podcast = episodeIn(entry)
  return {
    ...(media.length > 0 && { media }),
    ...(tags && tags.length > 0 && { tags }),
    ...(people.length > 0 && { people }),
    ...(comments && { comments }),
    ...(place && { place }),
    ...(licence && { licence }),
    ...(podcast && { podcast }),
  }
}

/** Enclosures first, then preview images. Media with the same address are merged. If there is one recording, it gets the duration of the episode. */
function mediaIn({ enclosures = [], thumbnails = [], image, durationMs }: ParsedEntry): Medium[] {
  const all = new Map<string, Medium>()
  const add = (medium: Medium | undefined) => {
    if (medium && (all.size < MAX_MEDIA || all.has(medium.url)))
      all.set(medium.url, { ...medium, ...all.get(medium.url) })
  }
  for (const file of enclosures) add(mediumOf(file))
  for (const thumbnail of thumbnails) add(previewOf(thumbnail.url, thumbnail))
  if (image !== undefined) add(previewOf(image, {}))
  const recordings = [...all.values()].filter(({ kind }) => kind === 'audio' || kind === 'video')
  if (recordings.length === 1 && durationMs !== undefined) recordings[0]!.durationMs ??= durationMs
  return [...all.values()]
}

function mediumOf(file: Enclosure): Medium | undefined {
  const url = addressOf(file.url)
  if (url === undefined) return undefined
  const { bytes, durationMs, width, height } = file
  const type = lineOf(file.type, MAX_TAG)
  const title = lineOf(file.title)
  return {
    url,
    kind: mediumKind(type, file.medium, url),
    ...(type && { type }),
    ...(bytes !== undefined && { bytes }),
    ...(durationMs !== undefined && { durationMs }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(title && { title }),
    ...(file.isDefault && { preferred: true }),
  }
}

function previewOf(given: string, { width, height }: { width?: number; height?: number }): Medium | undefined {
  const url = addressOf(given)
  if (url === undefined) return undefined
  return {
    url,
    kind: 'image',
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    preview: true,
  }
}

/** Authors, podcast hosts and guests, and contributors; once per role. */
function peopleIn({ authors = [], contributors = [], persons = [] }: ParsedEntry): EntryPerson[] {
  const all: EntryPerson[] = []
  const candidates: [FeedPerson, string][] = [
    ...authors.map((person): [FeedPerson, string] => [person, 'author']),
    ...persons.map((person): [FeedPerson, string] => [person, person.role ?? 'host']),
    ...contributors.map((person): [FeedPerson, string] => [person, 'contributor']),
  ]
  for (const [person, role] of candidates) {
    const [name, email, url, image] = [
      lineOf(person.name),
      lineOf(person.email),
      addressOf(person.url),
      addressOf(person.image),
    ]
    const isDuplicate = all.some((other) => other.role === role && (other.name ?? other.email) === (name ?? email))
    if ((name ?? email ?? url) === undefined || isDuplicate || all.length >= MAX_PEOPLE) continue
    all.push({
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(url !== undefined && { url }),
      role: lineOf(role, MAX_TAG) ?? 'author',
      ...(image !== undefined && { image }),
    })
  }
  return all
}

function commentsIn({ commentsUrl, commentsFeedUrl, commentCount }: ParsedEntry): EntryExtras['comments'] {
  const [url, feedUrl] = [addressOf(commentsUrl), addressOf(commentsFeedUrl)]
  if ((url ?? feedUrl ?? commentCount) === undefined) return undefined
  return {
    ...(url && { url }),
    ...(feedUrl && { feedUrl }),
    ...(commentCount !== undefined && { count: commentCount }),
  }
}

function episodeIn(entry: ParsedEntry): Episode | undefined {
  const { durationMs, season, episode: number, explicit } = entry
  const chaptersUrl = addressOf(entry.chaptersUrl)
  const transcripts = (entry.transcripts ?? []).slice(0, MAX_TRANSCRIPTS).flatMap((transcript) => {
    const url = addressOf(transcript.url)
    const [type, language] = [lineOf(transcript.type, MAX_TAG), lineOf(transcript.language, MAX_TAG)]
    return url ? [{ url, ...(type && { type }), ...(language && { language }) }] : []
  })
  const episode: Episode = {
    ...(durationMs !== undefined && { durationMs }),
    ...(season !== undefined && { season }),
    ...(number !== undefined && { number }),
    ...(explicit !== undefined && { explicit }),
    ...(chaptersUrl && { chaptersUrl }),
    ...(transcripts.length > 0 && { transcripts }),
  }
  return Object.keys(episode).length > 0 ? episode : undefined
}

function addressOf(given: string | undefined): WebAddress | undefined {
  return given === undefined || given.length > MAX_URL ? undefined : webAddress(given)
}

function lineOf(given: string | undefined, maxLength = MAX_LINE): string | undefined {
  const text = given?.trim().slice(0, maxLength).toWellFormed()
  return text === '' ? undefined : text
}
