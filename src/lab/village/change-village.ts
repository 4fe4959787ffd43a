/** Changes the village from now on; responses for earlier times stay the same. */
import type { Instant } from '../../model/index.ts'
import { type Post, pathOf } from './history.ts'
import { seededRandom } from './seeded-random.ts'
import { generateStory } from './story-generator.ts'
import type { VillageSiteState } from './town.ts'

/** Missing fields are generated. */
export interface Draft {
  title?: string
  author?: string
  paragraphs?: string[]
  category?: string
}

export function publish(site: VillageSiteState, draft: Draft, at: Instant): Post {
  const id = `${at.toString(36)}.x${site.addedPosts.length}`
  const story = { ...generateStory(site.storyGenerator, at, seededRandom(site.name, 'by hand', id)), ...draft }
  const post: Post = { ...story, id, at, path: pathOf(story.title, at, id) }
  site.addedPosts.push(post)
  return post
}

export function revise(site: VillageSiteState, post: Post, title: string, at: Instant): void {
  const stored = site.addedPosts.find((candidate) => candidate.id === post.id)
  if (!stored) throw new Error(`${post.id} was not published by hand, so its story is told already`)
  stored.revised = { at, title }
}

export function heal(site: VillageSiteState, path: string | undefined, at: Instant): void {
  for (const timed of site.faults) {
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
  const { fault: _stays, ...moved } = feed
  site.feeds[old] = { ...feed, announced: 'no' }
  site.feeds.push({ ...moved, path: to })
  site.faults.push({
    fault: { kind: 'moved', status, to },
    path: from,
    fromAt: at,
    untilAt: Number.POSITIVE_INFINITY,
  })
}
