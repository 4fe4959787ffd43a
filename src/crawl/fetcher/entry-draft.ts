/**
 * What travels and is stored of an entry. A feed may say much more, and at any length: every list and line is bounded here, and
 * an address that leads nowhere on the web is left out.
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

/** Characters of one entry's text: a book. Whoever lists entries holds some hundred of them at once. */
const LONGEST_TEXT = 500_000
const LONGEST_LINE = 300
const LONGEST_TAG = 100
const LONGEST_URL = 2_000
const MOST_MEDIA = 30
const MOST_TAGS = 50
const MOST_PEOPLE = 20
const MOST_TRANSCRIPTS = 5

export function draftOf(entry: ParsedEntry): EntryDraft {
  const { key, url, title, summary, content, author, publishedAt, updatedAt, dateOnly, language } = entry
  return {
    key,
    title,
    ...(url && { url }),
    ...(summary && { summary: summary.slice(0, LONGEST_TEXT) }),
    ...(content && { content: content.slice(0, LONGEST_TEXT) }),
    ...(author && { author }),
    ...(publishedAt !== undefined && { publishedAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(dateOnly && { dateOnly }),
    ...(language && { language }),
    ...extrasIn(entry),
  }
}

/** As the publisher wrote them, each once. */
export function tagsOf(categories: readonly FeedCategory[]): string[] {
  const tags = new Set<string>()
  for (const { term, label } of categories) {
    if (tags.size >= MOST_TAGS) break
    const tag = lineOf(label ?? term, LONGEST_TAG)
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

/** What it holds, then what shows it. One that is named twice counts once, with all that is said of it. An episode is as long as its only recording. */
function mediaIn({ enclosures = [], thumbnails = [], image, durationMs }: ParsedEntry): Medium[] {
  const all = new Map<string, Medium>()
  const add = (medium: Medium | undefined) => {
    if (medium && (all.size < MOST_MEDIA || all.has(medium.url)))
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
  const type = lineOf(file.type, LONGEST_TAG)
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

/** A podcast names its hosts and guests itself; who is an author as well stands there once, as what the podcast calls them. */
function peopleIn({ authors = [], contributors = [], persons = [] }: ParsedEntry): EntryPerson[] {
  const all: EntryPerson[] = []
  const given: [FeedPerson, string][] = [
    ...authors.map((person): [FeedPerson, string] => [person, 'author']),
    ...persons.map((person): [FeedPerson, string] => [person, person.role ?? 'host']),
    ...contributors.map((person): [FeedPerson, string] => [person, 'contributor']),
  ]
  for (const [person, role] of given) {
    const [name, email, url, image] = [
      lineOf(person.name),
      lineOf(person.email),
      addressOf(person.url),
      addressOf(person.image),
    ]
    const isThere = all.some((other) => other.role === role && (other.name ?? other.email) === (name ?? email))
    if ((name ?? email ?? url) === undefined || isThere || all.length >= MOST_PEOPLE) continue
    all.push({
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(url !== undefined && { url }),
      role: lineOf(role, LONGEST_TAG) ?? 'author',
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
  const transcripts = (entry.transcripts ?? []).slice(0, MOST_TRANSCRIPTS).flatMap((one) => {
    const url = addressOf(one.url)
    const [type, language] = [lineOf(one.type, LONGEST_TAG), lineOf(one.language, LONGEST_TAG)]
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
  return given === undefined || given.length > LONGEST_URL ? undefined : webAddress(given)
}

function lineOf(given: string | undefined, longest = LONGEST_LINE): string | undefined {
  const text = given?.trim().slice(0, longest).toWellFormed()
  return text === '' ? undefined : text
}
