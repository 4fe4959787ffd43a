/** Who may change the settings of a feed that all its followers share: admins, and its only follower. */
import type { Context } from 'hono'
import type { Feed, User, UserId } from '../model/index.ts'
import type { ReaderState } from '../ports/index.ts'
import { callerOf } from './authorize.ts'
import { Problem } from './problem.ts'

/** The user whose rights have to be checked; undefined for callers who may change every feed. */
export function restrictedUserOf(c: Context): User | undefined {
  const { scope, user } = callerOf(c)
  return scope === 'admin' ? undefined : user
}

export async function isFollowedBy(
  readerState: Pick<ReaderState, 'subscriptionsTo'>,
  userId: UserId,
  id: Feed['id'],
): Promise<boolean> {
  return (await readerState.subscriptionsTo(userId, [id]))[0] !== undefined
}

type Followers = Pick<ReaderState, 'subscriptionsTo' | 'followerCounts'>

export async function assertMayChange(c: Context, feed: Feed, readerState: Followers): Promise<void> {
  const reason = await reasonForCaller(c, feed, readerState)
  const hint = `PATCH /api/v1/subscriptions/${feed.id} changes your own title and folder; an admin may change the rest`
  if (reason) throw new Problem(403, reason, hint)
}

export async function mayChange(c: Context, feed: Feed, readerState: Followers): Promise<boolean> {
  return (await reasonForCaller(c, feed, readerState)) === undefined
}

async function reasonForCaller(c: Context, feed: Feed, readerState: Followers): Promise<string | undefined> {
  const user = restrictedUserOf(c)
  if (!user) return undefined
  if (!(await isFollowedBy(readerState, user.id, feed.id))) return `you do not follow feed ${feed.id}`
  const [readers = 0] = await readerState.followerCounts([{ feedId: feed.id }])
  return reasonNotToChange(feed, readers)
}

/** Why a follower who is no admin cannot change shared settings of the feed; undefined if they can. */
export function reasonNotToChange({ id, listed }: Feed, readers: number): string | undefined {
  if (listed) return `feed ${id} is listed in freshet.toml for everybody`
  if (readers > 1) return `other users follow feed ${id}, too`
  return undefined
}
