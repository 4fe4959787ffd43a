/** The user's positions in recordings. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { EntryId } from '../../model/index.ts'
import { playbackPositions, savePlayback, visibleToUser } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { notFound } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

const CURSOR = 'playback'

export function playbackRoutes(parts: ServerParts): OpenAPIHono {
  const app = validatedRoutes()

  app.openapi(OPERATIONS.listPlayback, async (c) => {
    const { state, entries = false, cursor, limit = 50 } = c.req.valid('query')
    const userId = await userIdOf(c)
    const [changedBefore] = decodeCursor<[number]>(CURSOR, cursor) ?? []
    const query = { state, hasEntries: entries, changedBefore, limit }
    const { playback, nextBefore } = await playbackPositions(userId, query, await visibleToUser(userId, parts))
    return c.json({ playback, ...(nextBefore !== undefined && { next: encodeCursor(CURSOR, nextBefore) }) }, 200)
  })

  app.openapi(OPERATIONS.setPlayback, async (c) => {
    const id = c.req.valid('param').id as EntryId
    const userId = await userIdOf(c)
    const visible = await visibleToUser(userId, parts)
    const saved = await savePlayback(userId, id, c.req.valid('json'), parts.clock.now(), visible)
    if (!saved) throw notFound('entry', id)
    return c.json(saved, 200)
  })
  return app
}
