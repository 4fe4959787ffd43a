/** Changing the village by hand, from now on: what was said at an earlier time can still be asked for. */
import type { Instant } from '../../model/index.ts'
import { type Post, pathOf } from './history.ts'
import { seededRandom } from './seeded-random.ts'
import { generateStory } from './story-generator.ts'
import type { VillageSiteState } from './town.ts'

/** What is not given is made up. */
export interface Draft {
  title?: string
  author?: string
  paragraphs?: string[]
  category?: string
}

export function publish(site: VillageSiteState, draft: Draft, at: Instant): Post {
  const id = `${at.toString(36)}.x${site.byHand.length}`
  const told = { ...generateStory(site.teller, at, seededRandom(site.name, 'by hand', id)), ...draft }
  const post: Post = { ...told, id, at, path: pathOf(told.title, at, id) }
  site.byHand.push(post)
  return post
}

export function revise(site: VillageSiteState, post: Post, title: string, at: Instant): void {
  const held = site.byHand.find((other) => other.id === post.id)
  if (!held) throw new Error(`${post.id} was not published by hand, so its story is told already`)
  held.revised = { at, title }
}

export function heal(site: VillageSiteState, path: string | undefined, at: Instant): void {
  for (const timed of site.troubles) {
    if (path === undefined || timed.path === path) timed.untilAt = Math.min(timed.untilAt, at)
  }
}

export function moveFeed(
  site: VillageSiteState,
  from: string,
  to: string,
  status: 301 | 302 | 303 | 307 | 308,
  at: Instant,
): void {
  const old = site.feeds.findIndex((feed) => feed.path === from)
  const feed = site.feeds[old]
  if (!feed) throw new Error(`${site.name} has no feed at ${from}`)
  const { trouble: _stays, ...moved } = feed
  site.feeds[old] = { ...feed, announced: 'no' }
  site.feeds.push({ ...moved, path: to })
  site.troubles.push({
    trouble: { kind: 'moved', status, to },
    path: from,
    fromAt: at,
    untilAt: Number.POSITIVE_INFINITY,
  })
}
