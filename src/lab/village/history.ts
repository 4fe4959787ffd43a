/**
 * A site's posts at any time. Nothing is stored: the posts of a day are generated from a seed of site and day, so
 * every moment of every year can be computed in any order, always with the same result. Only posts published by tests
 * are stored.
 *
 * A post's id begins with its instant in base 36, so an article's address determines its day.
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
  /** Path of its page on the site. */
  path: string
  category?: string
  /** Its title from `revised.at` on. */
  revised?: { at: Instant; title: string }
  /** Its id at the site it was copied from. */
  copyOf?: string
}

export interface SiteHistory {
  /** Posts after `after` up to `upTo`, oldest first. */
  between(after: Instant, upTo: Instant): Post[]
  /** The newest posts at that time, newest first. */
  recent(at: Instant, count: number, accept?: (post: Post) => boolean): Post[]
  /** Undefined if it is not published yet, or does not exist. */
  find(id: string, at: Instant): Post | undefined
}

/** Maximum number of a site's days to look back: a new village has a past of some four hundred. */
const MAX_DAYS_BACK = 400
const MAX_CACHED = 4000

export interface SiteHistoryParts {
  spec: SiteSpec
  storyGenerator: StoryGenerator
  seed: number
  /** Posts published by tests, ascending. */
  addedPosts: readonly Post[]
  /** The source of copied posts. */
  source?: { title: string; history: SiteHistory }
}

export function createHistory({ spec, storyGenerator, seed, addedPosts, source }: SiteHistoryParts): SiteHistory {
  const { dayMs } = storyGenerator
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
        return writePost(spec, storyGenerator, seed, at, twins === 0 ? '' : `.${twins}`)
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
    found.push(...addedPosts)
    return found.filter((post) => post.at > after && post.at <= upTo).sort((a, b) => a.at - b.at)
  }

  return historyOf(between, dayMs, silentSince)
}

/** Readers' comments on a site's posts, as a history of their own. */
export function createComments(posts: SiteHistory, { spec, storyGenerator, seed }: SiteHistoryParts): SiteHistory {
  const { dayMs } = storyGenerator
  function between(after: Instant, upTo: Instant): Post[] {
    return posts
      .between(after - dayMs, upTo)
      .flatMap((post) => commentsOn(post, storyGenerator, seededRandom(seed, spec.name, 'comments', post.id)))
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
        const span = Math.min(spanDays, MAX_DAYS_BACK)
        const posts = between(newestAt - span * dayMs, at).filter(accept)
        if (posts.length >= count || span === MAX_DAYS_BACK) return posts.reverse().slice(0, count)
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

/** Up to an eighth of a day: newspapers copy the agency's stories of the morning by noon. */
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

/** A small cache, cleared when it is full, which is rare and only costs time. */
function remembered<Key, Value>(memory: Map<Key, Value>, key: Key, make: () => Value): Value {
  if (memory.has(key)) return memory.get(key) as Value
  if (memory.size >= MAX_CACHED) memory.clear()
  const value = make()
  memory.set(key, value)
  return value
}
