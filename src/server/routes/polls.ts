/** The poll log, newest first. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { FeedId, Poll } from '../../model/index.ts'
import { omitUndefined, pollShape } from '../../views/index.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { visibleParts } from '../request-visibility.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function pollRoutes(parts: ServerParts): OpenAPIHono {
  const app = validatedRoutes()
  app.openapi(OPERATIONS.listPolls, async (c) => {
    const { feed, since, cursor, limit = 50 } = c.req.valid('query')
    const { catalogue } = await visibleParts(c, parts)
    const [at, skip] = decodeCursor<[number, number]>('polls', cursor) ?? []
    const after = at !== undefined && skip !== undefined ? { at, skip } : undefined
    const polls = await catalogue.polls({
      ...omitUndefined({ feedId: feed as FeedId | undefined, since, after }),
      limit: limit + 1,
    })
    const shown = polls.slice(0, limit)
    const next = polls.length > limit ? nextAfter(shown, after) : undefined
    return c.json({ polls: shown.map(pollShape), ...(next && { next }) }, 200)
  })
  return app
}

/** Polls have no ids: the cursor has the time of the last poll, and how many polls of that moment were shown. */
function nextAfter(shown: Poll[], previous: { at: number; skip: number } | undefined): string | undefined {
  const last = shown.at(-1)
  if (!last) return undefined
  const same = shown.filter(({ at }) => at === last.at).length
  return encodeCursor('polls', last.at, same + (previous?.at === last.at ? previous.skip : 0))
}
