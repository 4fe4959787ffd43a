/**
 * What a caller may see, and the stores restricted to it. Routes that show something take their parts from here and have no checks of their
 * own.
 *
 * Users see feeds that they follow or that freshet.toml lists and, with `--shared-reading`, all public feeds. Admins see the same in lists
 * for reading, and everything on the dashboard, by id, and with `scope=all`. Corpus tokens see all public feeds. Without accounts, or with
 * the local key, everything is visible; with the local key, `--user` selects a user's view.
 */
import type { Context } from 'hono'
import type { UserId, Visibility } from '../model/index.ts'
import { type VisibilityParts, type VisibleParts, visibilityFor, visibleTo, withoutMuted } from '../views/index.ts'
import { type Caller, callerOf, userIdOf } from './authorize.ts'
import { requestedOperation } from './validation.ts'

/** Tags of operations about the crawl, as opposed to reading. */
const DASHBOARD_TAGS: ReadonlySet<string> = new Set(['status', 'polls', 'sources', 'folders', 'lab'])

/** The parts of a route, restricted to the caller. */
export async function visibleParts<Parts extends VisibleParts & VisibilityParts>(
  c: Context,
  parts: Parts,
): Promise<Parts> {
  const visible = visibleTo(parts, await visibilityOf(c, parts))
  return withoutMuted(visible, () => viewerIdOf(c))
}

export async function visibilityOf(c: Context, parts: VisibilityParts): Promise<Visibility> {
  const caller = callerOf(c)
  const { user, credential } = caller
  if (!user) {
    const isUserNamed = caller.isLocal && c.req.header('freshet-user')
    return isUserNamed ? visibilityFor(await userIdOf(c), parts) : { reach: 'everything' }
  }
  if (credential?.kind === 'corpus') return { userId: user.id, reach: 'public' }
  if (seesEverything(c, caller)) return { userId: user.id, reach: 'everything' }
  return visibilityFor(user.id, parts)
}

/** The user whose titles and read state are shown; undefined for corpus tokens. */
export async function viewerIdOf(c: Context): Promise<UserId | undefined> {
  return callerOf(c).credential?.kind === 'corpus' ? undefined : userIdOf(c)
}

function seesEverything(c: Context, { scope }: Caller): boolean {
  if (scope !== 'admin') return false
  const operation = requestedOperation(c)
  const isDashboard = operation?.tags.some((tag) => DASHBOARD_TAGS.has(tag)) ?? false
  return isDashboard || (operation?.path.includes('{id}') ?? false) || c.req.query('scope') === 'all'
}
