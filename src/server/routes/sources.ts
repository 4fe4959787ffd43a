/** Sources: addresses that were added, with the state of their feed discovery. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { SourceId } from '../../model/index.ts'
import { omitUndefined, sourceShape } from '../../views/index.ts'
import { callerOf } from '../authorize.ts'
import { cutPage, decodeCursor, encodeCursor } from '../cursor.ts'
import { notFound } from '../problem.ts'
import { visibleParts } from '../request-visibility.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function sourceRoutes(parts: ServerParts): OpenAPIHono {
  const { crawler } = parts
  const app = validatedRoutes()

  app.openapi(OPERATIONS.listSources, async (c) => {
    const { limit = 50, cursor, state } = c.req.valid('query')
    const [after] = decodeCursor<[number]>('sources', cursor) ?? []
    const { catalogue } = await visibleParts(c, parts)
    const sources = await catalogue.sources({
      ...omitUndefined({ state, after: after as SourceId | undefined }),
      limit: limit + 1,
    })
    const { page: shown, next } = cutPage(sources, limit, ({ id }) => encodeCursor('sources', id))
    return c.json({ sources: shown.map(sourceShape), ...(next && { next }) }, 200)
  })

  app.openapi(OPERATIONS.getSource, async (c) => {
    const { id } = c.req.valid('param')
    const { catalogue } = await visibleParts(c, parts)
    const [source] = await catalogue.sourcesById([id as SourceId])
    if (!source) throw notFound('source', id)
    return c.json(sourceShape(source), 200)
  })

  app.openapi(OPERATIONS.removeSource, async (c) => {
    const sourceId = c.req.valid('param').id as SourceId
    const { scope, user } = callerOf(c)
    // Other users may wait for it: a user only stops waiting, and the source is removed with the last one.
    if (scope !== 'admin' && user) {
      const [wasRemoved] = await crawler.unsubscribe(user.id, [{ sourceId }])
      if (!wasRemoved) throw notFound('source', sourceId)
    } else if (!(await crawler.removeSource(sourceId))) throw notFound('source', sourceId)
    return c.body(null, 204)
  })
  return app
}
