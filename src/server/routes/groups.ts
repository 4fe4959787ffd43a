/** Groups: copies of a text and stories. Recent or large ones first; entries can be regrouped. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { GroupId } from '../../model/index.ts'
import { groupDetails, groupsWithPrimaries } from '../../views/index.ts'
import { cutPage, decodeCursor, encodeCursor } from '../cursor.ts'
import { notFound } from '../problem.ts'
import { visibleParts } from '../request-visibility.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function groupRoutes(parts: ServerParts): OpenAPIHono {
  const app = validatedRoutes()

  app.openapi(OPERATIONS.listGroups, async (c) => {
    const {
      level = 'story',
      order = 'recent',
      least = 2,
      limit = 50,
      since,
      cursor,
      excerpts = false,
    } = c.req.valid('query')
    const kind = `${level}-${order}`
    const [id, size, lastAt] = decodeCursor<[number, number, number]>(kind, cursor) ?? []
    const after = id !== undefined && size !== undefined && lastAt !== undefined
    const groups = await groupsWithPrimaries(
      {
        level,
        order,
        minSize: least,
        limit: limit + 1,
        ...(since !== undefined && { since }),
        ...(after && { after: { id: id as GroupId, size, lastAt } }),
      },
      await visibleParts(c, parts),
      { withExcerpts: excerpts },
    )
    const { page: shown, next } = cutPage(groups, limit, (last) =>
      encodeCursor(kind, last.id, last.size, Date.parse(last.lastAt)),
    )
    return c.json({ groups: shown, ...(next && { next }) }, 200)
  })

  app.openapi(OPERATIONS.regroupEntries, async (c) => c.json({ waiting: await parts.crawler.regroupEntries() }, 202))

  app.openapi(OPERATIONS.getGroup, async (c) => {
    const { id } = c.req.valid('param')
    const found = await groupDetails(id as GroupId, await visibleParts(c, parts))
    if (!found) throw notFound('group', id)
    return c.json(found, 200)
  })
  return app
}
