/** The user's saved searches. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { SavedSearchId } from '../../model/index.ts'
import { parseQuery } from '../../ports/index.ts'
import { omitUndefined, savedSearchShape } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { notFound, Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

/** Per user. */
const MAX_SEARCHES = 500

export function searchRoutes({ sharing, clock }: ServerParts): OpenAPIHono {
  const app = validatedRoutes()

  /** Invalid queries are not saved. */
  function assertValidQuery(query: string): void {
    const parsed = parseQuery(query, clock.now())
    if ('fault' in parsed) throw new Problem(400, parsed.fault, parsed.hint)
  }

  app.openapi(OPERATIONS.listSearches, async (c) => {
    const searches = await sharing.sharedItems('search', await userIdOf(c))
    return c.json({ searches: searches.map(savedSearchShape) }, 200)
  })

  app.openapi(OPERATIONS.addSearch, async (c) => {
    const { name, query, order, unique } = c.req.valid('json')
    assertValidQuery(query)
    const userId = await userIdOf(c)
    if ((await sharing.sharedItems('search', userId)).length >= MAX_SEARCHES)
      throw new Problem(409, `you have ${MAX_SEARCHES} searches`, 'remove some first')
    const search = { userId, name, query, ...omitUndefined({ order, unique }), addedAt: clock.now() }
    const id = await sharing.addSharedItem('search', search)
    if (id === undefined) throw nameTaken(name)
    return c.json(savedSearchShape({ id, ...search }), 201)
  })

  app.openapi(OPERATIONS.editSearch, async (c) => {
    const { name, query, order, unique } = c.req.valid('json')
    if (query !== undefined) assertValidQuery(query)
    const [userId, id] = [await userIdOf(c), c.req.valid('param').id as SavedSearchId]
    const findOwn = async () => (await sharing.sharedItems('search', userId)).find((search) => search.id === id)
    if (!(await findOwn())) throw notFound('search', id)
    const change = omitUndefined({ name, query, order, unique })
    if (!(await sharing.changeSharedItem('search', userId, id, change))) throw nameTaken(name ?? '')
    const changed = await findOwn()
    if (!changed) throw notFound('search', id)
    return c.json(savedSearchShape(changed), 200)
  })

  app.openapi(OPERATIONS.removeSearch, async (c) => {
    const id = c.req.valid('param').id as SavedSearchId
    if (!(await sharing.removeSharedItem('search', await userIdOf(c), id))) throw notFound('search', id)
    return c.body(null, 204)
  })
  return app
}

function nameTaken(name: string): Problem {
  return new Problem(409, `you already have a search called ${name}`, 'choose another name')
}
