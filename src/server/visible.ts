/**
 * What a caller may see, worked out once per request, and the catalogues as they see them. A route that shows something takes its parts from
 * here, and has no checks of its own.
 *
 * Users see what they follow, what freshet.toml lists and, with `--shared-reading`, all that is public. Admins see the same in lists for readers, and
 * everything on the dashboard, by its id, and where they say `scope=all`. A corpus token sees all that is public. Where there are no accounts, or with
 * the key of the machine, everything is seen; with the key, `--user` says whose view is meant.
 */
import type { Context } from 'hono'
import type { PersonId, Visibility } from '../model/index.ts'
import { type VisibilityParts, type VisibleParts, visibilityFor, visibleTo } from '../views/index.ts'
import { type Caller, callerOf, userIdOf } from './authorize.ts'
import { requestedOperation } from './validation.ts'

/** Tags of operations that show how the crawl is, not what there is to read. */
const DASHBOARD: ReadonlySet<string> = new Set(['status', 'polls', 'sources', 'folders', 'lab'])

/** The parts of a route, as the caller sees them. */
export async function visibleParts<Parts extends VisibleParts & VisibilityParts>(
  c: Context,
  parts: Parts,
): Promise<Parts> {
  return visibleTo(parts, await visibilityOf(c, parts))
}

export async function visibilityOf(c: Context, parts: VisibilityParts): Promise<Visibility> {
  const asker = callerOf(c)
  const { person, pass } = asker
  if (!person) {
    const isMeant = asker.isLocal && c.req.header('freshet-person')
    return isMeant ? visibilityFor(await userIdOf(c), parts) : { reach: 'everything' }
  }
  if (pass?.kind === 'corpus') return { personId: person.id, reach: 'public' }
  if (asksForAll(c, asker)) return { personId: person.id, reach: 'everything' }
  return visibilityFor(person.id, parts)
}

/** Whose titles and marks are shown; a corpus token has none. */
export async function viewerIdOf(c: Context): Promise<PersonId | undefined> {
  return callerOf(c).pass?.kind === 'corpus' ? undefined : userIdOf(c)
}

function asksForAll(c: Context, { allows }: Caller): boolean {
  if (allows !== 'admin') return false
  const operation = requestedOperation(c)
  const isDashboard = operation?.tags.some((tag) => DASHBOARD.has(tag)) ?? false
  return isDashboard || (operation?.path.includes('{id}') ?? false) || c.req.query('scope') === 'all'
}
