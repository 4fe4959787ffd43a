/** What a person has read and starred. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { ChangeId, EntryId, FeedId } from '../../model/index.ts'
import type { MarkedUntil } from '../../ports/index.ts'
import { visibleToUser } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function readStateRoutes(parts: ServerParts): OpenAPIHono {
  const { readership, clock } = parts
  const app = validatedRoutes()

  app.openapi(OPERATIONS.getReadState, async (c) => {
    const personId = await userIdOf(c)
    return c.json(await readership.standing(personId), 200)
  })

  app.openapi(OPERATIONS.renameFolder, async (c) => {
    const { folder } = c.req.valid('param')
    const { name } = c.req.valid('json')
    const moved = await readership.renameFolder(await userIdOf(c), folder, name.trim() || null)
    if (moved === 0) throw new Problem(404, 'you have no folder of this name', 'see GET /api/v1/reading')
    return c.json({ moved }, 200)
  })

  app.openapi(OPERATIONS.markEntries, async (c) => {
    const { entries, as } = c.req.valid('json')
    const [personId, ids] = [await userIdOf(c), entries as EntryId[]]
    if (as === 'starred' || as === 'unstarred') {
      const { readership } = await visibleToUser(personId, parts)
      return c.json({ changed: await readership.star(personId, ids, as === 'starred', clock.now()) }, 200)
    }
    return c.json(await readership.mark(personId, ids, as, clock.now()), 200)
  })

  app.openapi(OPERATIONS.markAllRead, async (c) => {
    const { feed, folder, ...until } = c.req.valid('json')
    const scope = {
      ...(feed !== undefined && { feedIds: [feed as FeedId] }),
      ...(folder !== undefined && { folder }),
    }
    return c.json(await readership.markAllRead(await userIdOf(c), scope, untilOf(until)), 200)
  })

  app.openapi(OPERATIONS.undoMarks, async (c) => {
    const { change } = c.req.valid('json')
    return c.json({ changed: await readership.takeBack(await userIdOf(c), change as ChangeId) }, 200)
  })
  return app
}

interface Until {
  upTo?: number | undefined
  seenBefore?: string | undefined
  datedBefore?: string | undefined
}

function untilOf({ upTo, seenBefore, datedBefore }: Until): MarkedUntil | undefined {
  if (upTo !== undefined) return { entryId: upTo as EntryId }
  if (seenBefore !== undefined) return { seenBefore: Date.parse(seenBefore) }
  if (datedBefore !== undefined) return { datedBefore: Date.parse(datedBefore) }
  return undefined
}
