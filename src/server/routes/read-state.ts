/** The user's read and starred state, and folders. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { ChangeId, EntryId, FeedId } from '../../model/index.ts'
import type { ReadUntil } from '../../ports/index.ts'
import { visibleToUser } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { Problem } from '../problem.ts'
import { createReaderFolders } from '../readers/folders.ts'
import type { SharedParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function readStateRoutes(parts: SharedParts): OpenAPIHono {
  const { readerState, interactions, clock } = parts
  const folders = createReaderFolders(parts)
  const app = validatedRoutes()

  app.openapi(OPERATIONS.getReadState, async (c) => {
    const userId = await userIdOf(c)
    return c.json(await readerState.readerCounts(userId), 200)
  })

  app.openapi(OPERATIONS.renameFolder, async (c) => {
    const { folder } = c.req.valid('param')
    const { name } = c.req.valid('json')
    const moved = await folders.rename(await userIdOf(c), folder, name.trim() || null)
    if (moved === 0) throw new Problem(404, 'you have no folder of this name', 'see GET /api/v1/reading')
    return c.json({ moved }, 200)
  })

  app.openapi(OPERATIONS.markEntries, async (c) => {
    const { entries, as } = c.req.valid('json')
    const [userId, ids] = [await userIdOf(c), entries as EntryId[]]
    if (as === 'starred' || as === 'unstarred') {
      const { readerState } = await visibleToUser(userId, parts)
      const changed = await readerState.starEntries(userId, ids, as === 'starred', clock.now())
      if (as === 'starred') await interactions.record(userId, { starred: changed })
      return c.json({ changed }, 200)
    }
    if (as === 'muted' || as === 'unmuted') {
      const { readerState } = await visibleToUser(userId, parts)
      return c.json({ changed: await readerState.muteEntries(userId, ids, as === 'muted', clock.now()) }, 200)
    }
    return c.json(await readerState.markEntries(userId, ids, as, clock.now()), 200)
  })

  app.openapi(OPERATIONS.markAllRead, async (c) => {
    const { feed, feeds = feed === undefined ? undefined : [feed], folder, ...until } = c.req.valid('json')
    const scope = {
      ...(feeds && { feedIds: feeds as FeedId[] }),
      ...(folder !== undefined && { folder }),
    }
    return c.json(await readerState.markAllRead(await userIdOf(c), scope, parseUntil(until)), 200)
  })

  app.openapi(OPERATIONS.undoMarks, async (c) => {
    const { change } = c.req.valid('json')
    return c.json({ changed: await readerState.undoChange(await userIdOf(c), change as ChangeId) }, 200)
  })
  return app
}

interface UntilInput {
  upTo?: number | undefined
  seenBefore?: string | undefined
  datedBefore?: string | undefined
}

function parseUntil({ upTo, seenBefore, datedBefore }: UntilInput): ReadUntil | undefined {
  if (upTo !== undefined) return { entryId: upTo as EntryId }
  if (seenBefore !== undefined) return { seenBefore: Date.parse(seenBefore) }
  if (datedBefore !== undefined) return { datedBefore: Date.parse(datedBefore) }
  return undefined
}
