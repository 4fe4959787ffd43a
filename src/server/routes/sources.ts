/** `/api/sources`: addresses whose feed is still looked for, or was found. */
import { Hono } from 'hono'
import type { SourceId } from '../../model/index.ts'
import { sourceShape } from '../../views/index.ts'
import { idNumber, oneOf, readId, readQuery, wholeNumber } from '../parameters.ts'
import { notThere } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'

export function sourceRoutes({ catalogue, crawler }: ServerParts): Hono {
  const app = new Hono()

  app.get('/', async (c) => {
    const {
      limit = 50,
      after,
      ...filters
    } = readQuery(c, {
      state: oneOf('looking', 'found'),
      after: idNumber,
      limit: wholeNumber(1, 1000),
    })
    const sources = await catalogue.sources({
      ...filters,
      ...(after !== undefined && { after: after as SourceId }),
      limit: limit + 1,
    })
    return c.json({ sources: sources.slice(0, limit).map(sourceShape), more: sources.length > limit })
  })

  app.get('/:id', async (c) => {
    const id = readId(c) as SourceId
    const [source] = await catalogue.sourcesById([id])
    if (!source) throw notThere('source', id)
    return c.json(sourceShape(source))
  })

  app.delete('/:id', async (c) => {
    const id = readId(c) as SourceId
    if (!(await crawler.removeSource(id))) throw notThere('source', id)
    return c.body(null, 204)
  })
  return app
}
