/**
 * What a site has published by a given time. Nothing is stored: the posts of a day are drawn from chance named after the
 * site and the day, so any moment of any year can be looked at, in any order, and is always the same. Only what a test
 * publishes by hand is kept.
 *
 * A post's id begins with its instant in base 36, so an article's address leads straight back to its day.
 */
import type { Instant, Millis } from '../../model/index.ts'
import { publishingTimes } from './publishing-times.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'
import type { SiteSpec } from './spec.ts'
import {
  editStory,
  type GeneratedStory,
  generateComment,
  generateStory,
  lexicons,
  type StoryGenerator,
} from './story-generator.ts'

export interface Post extends GeneratedStory {
  readonly id: string
  readonly at: Instant
  /** Where its page stands on the site. */
  path: string
  category?: string
  /** From `revised.at` on the title is another. */
  revised?: { at: Instant; title: string }
  /** The id that this story has with the site it was taken from. */
  copyOf?: string
}

export interface SiteHistory {
  /** Posts later than `after` and not later than `upTo`, oldest first. */
  between(after: Instant, upTo: Instant): Post[]
  /** The newest posts at that time, newest first. */
  recent(at: Instant, count: number, accept?: (post: Post) => boolean): Post[]
  /** Undefined if it is not published yet, or never will be. */
  find(id: string, at: Instant): Post | undefined
}

/** Nobody looks further back than this many of a site's days: a new village has a past of some four hundred. */
const OLDEST_DAYS = 400
const REMEMBERED = 4000

export interface Newsroom {
  spec: SiteSpec
  teller: StoryGenerator
  seed: number
  /** Published by hand, in ascending order. */
  byHand: readonly Post[]
  /** Where copies are taken from. */
  source?: { title: string; history: SiteHistory }
}

export function createHistory({ spec, teller, seed, byHand, source }: Newsroom): SiteHistory {
  const { dayMs } = teller
  const { name, rhythm = { kind: 'daily', hour: 9 }, silentSince = Number.POSITIVE_INFINITY } = spec
  const days = new Map<number, Post[]>()
  const copies = new Map<string, Post | undefined>()

  function ownPosts(day: number): Post[] {
    return remembered(days, day, () => {
      const instants = publishingTimes(rhythm, day, dayMs, seededRandom(seed, name, 'day', day)).filter(
        (at) => at < silentSince,
      )
      let twins = 0
      return instants.map((at, i) => {
        twins = at === instants[i - 1] ? twins + 1 : 0
        return writePost(spec, teller, seed, at, twins === 0 ? '' : `.${twins}`)
      })
    })
  }

  function copyOf(original: Post): Post | undefined {
    return remembered(copies, original.id, () => {
      const chance = seededRandom(seed, name, 'copies', original.id)
      if (!chance.happens(spec.copies!.share)) return undefined
      const at = original.at + Math.floor(copyDelay(dayMs) * (0.1 + 0.9 * chance.next()))
      if (at >= silentSince) return undefined
      const story = editStory(original, source!.title, chance)
      const id = `${at.toString(36)}.c${original.id}`
      return { ...story, id, at, path: pathOf(story.title, at, id), copyOf: original.id, ...category(spec, chance) }
    })
  }

  function between(after: Instant, upTo: Instant): Post[] {
    const found: Post[] = []
    const lastDay = Math.floor(Math.min(upTo, silentSince) / dayMs)
    for (let day = Math.floor(after / dayMs); day <= lastDay; day++) found.push(...ownPosts(day))
    for (const original of source?.history.between(after - copyDelay(dayMs), upTo) ?? []) {
      const copy = copyOf(original)
      if (copy) found.push(copy)
    }
    found.push(...byHand)
    return found.filter((post) => post.at > after && post.at <= upTo).sort((a, b) => a.at - b.at)
  }

  return historyOf(between, dayMs, silentSince)
}

/** What readers say below the posts of a site, as a history of its own. */
export function createComments(posts: SiteHistory, { spec, teller, seed }: Newsroom): SiteHistory {
  const { dayMs } = teller
  function between(after: Instant, upTo: Instant): Post[] {
    return posts
      .between(after - dayMs, upTo)
      .flatMap((post) => commentsOn(post, teller, seededRandom(seed, spec.name, 'comments', post.id)))
      .filter((comment) => comment.at > after && comment.at <= upTo)
      .sort((a, b) => a.at - b.at)
  }
  return historyOf(between, dayMs, Number.POSITIVE_INFINITY)
}

export function titleAt(post: Post, at: Instant): string {
  return post.revised && post.revised.at <= at ? post.revised.title : post.title
}

export function changedAt(post: Post, at: Instant): Instant {
  return post.revised && post.revised.at <= at ? post.revised.at : post.at
}

export function pathOf(title: string, at: Instant, id: string): string {
  const plain = title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  return `/${new Date(at).toISOString().slice(0, 7).replace('-', '/')}/${slug || 'post'}-${id}`
}

function historyOf(between: SiteHistory['between'], dayMs: Millis, silentSince: Instant): SiteHistory {
  return {
    between,
    recent(at, count, accept = () => true) {
      const newestAt = Math.min(at, silentSince)
      for (let spanDays = 1; ; spanDays *= 2) {
        const span = Math.min(spanDays, OLDEST_DAYS)
        const posts = between(newestAt - span * dayMs, at).filter(accept)
        if (posts.length >= count || span === OLDEST_DAYS) return posts.reverse().slice(0, count)
      }
    },
    find(id, at) {
      const publishedAt = Number.parseInt(id, 36)
      if (!(publishedAt <= at)) return undefined
      return between(publishedAt - 1, publishedAt).find((post) => post.id === id)
    },
  }
}

function writePost(spec: SiteSpec, teller: StoryGenerator, seed: number, at: Instant, suffix: string): Post {
  const id = at.toString(36) + suffix
  const chance = seededRandom(seed, spec.name, 'post', id)
  const story = generateStory(teller, at, chance)
  const post: Post = { ...story, id, at, path: pathOf(story.title, at, id), ...category(spec, chance) }
  if (teller.voice === 'news' && chance.happens(0.05)) {
    const correctedAt = at + Math.floor(teller.dayMs * (0.01 + 0.05 * chance.next()))
    post.revised = { at: correctedAt, title: lexicons[teller.language].corrected.replace('{title}', story.title) }
  }
  return post
}

function category(spec: SiteSpec, chance: SeededRandom): { category?: string } {
  return spec.categories ? { category: chance.pick(spec.categories) } : {}
}

/** An eighth of a day: what the agency says in the morning is in every newspaper by noon. */
function copyDelay(dayMs: Millis): Millis {
  return dayMs / 8
}

function commentsOn(post: Post, { dayMs, language }: StoryGenerator, chance: SeededRandom): Post[] {
  return Array.from({ length: chance.below(4) }, (_, i) => {
    const at = post.at + Math.floor(dayMs * chance.next())
    const comment = generateComment(language, at, chance)
    const title = `${comment.author}: ${post.title}`
    return { ...comment, title, id: `${post.id}.k${i}`, at, path: `${post.path}#comment-${i}` }
  })
}

/** A small memory: emptied as a whole when it is full, which is rare and costs only time. */
function remembered<Key, Value>(memory: Map<Key, Value>, key: Key, make: () => Value): Value {
  if (memory.has(key)) return memory.get(key) as Value
  if (memory.size >= REMEMBERED) memory.clear()
  const value = make()
  memory.set(key, value)
  return value
}
