/** A person's saved searches. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { SavedSearchId } from '../../model/index.ts'
import { parseQuery } from '../../ports/index.ts'
import { omitUndefined, savedSearchShape } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { notFound, Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

/** Of one person. */
const MOST_SEARCHES = 500

export function searchRoutes({ handouts, clock }: ServerParts): OpenAPIHono {
  const app = validatedRoutes()

  /** What no search could ever mean is not saved. */
  function checked(query: string): void {
    const parsed = parseQuery(query, clock.now())
    if ('fault' in parsed) throw new Problem(400, parsed.fault, parsed.hint)
  }

  app.openapi(OPERATIONS.listSearches, async (c) => {
    const searches = await handouts.savedSearches(await userIdOf(c))
    return c.json({ searches: searches.map(savedSearchShape) }, 200)
  })

  app.openapi(OPERATIONS.addSearch, async (c) => {
    const { name, query, order, unique } = c.req.valid('json')
    checked(query)
    const personId = await userIdOf(c)
    if ((await handouts.savedSearches(personId)).length >= MOST_SEARCHES)
      throw new Problem(409, `you have ${MOST_SEARCHES} searches`, 'remove some first')
    const search = { personId, name, query, ...omitUndefined({ order, unique }), addedAt: clock.now() }
    const id = await handouts.addSavedSearch(search)
    if (id === undefined) throw taken(name)
    return c.json(savedSearchShape({ id, ...search }), 201)
  })

  app.openapi(OPERATIONS.editSearch, async (c) => {
    const { name, query, order, unique } = c.req.valid('json')
    if (query !== undefined) checked(query)
    const [personId, id] = [await userIdOf(c), c.req.valid('param').id as SavedSearchId]
    const own = async () => (await handouts.savedSearches(personId)).find((search) => search.id === id)
    if (!(await own())) throw notFound('search', id)
    const change = omitUndefined({ name, query, order, unique })
    if (!(await handouts.changeSavedSearch(personId, id, change))) throw taken(name ?? '')
    const changed = await own()
    if (!changed) throw notFound('search', id)
    return c.json(savedSearchShape(changed), 200)
  })

  app.openapi(OPERATIONS.removeSearch, async (c) => {
    const id = c.req.valid('param').id as SavedSearchId
    if (!(await handouts.removeHandout(await userIdOf(c), { searchId: id }))) throw notFound('search', id)
    return c.body(null, 204)
  })
  return app
}

function taken(name: string): Problem {
  return new Problem(409, `you already have a search called ${name}`, 'choose another name')
}
