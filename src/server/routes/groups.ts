/** `/api/groups`: copies of one text and tellings of one story; by level, recent or large ones first. They may be found anew. */
import { Hono } from 'hono'
import type { GroupId } from '../../model/index.ts'
import { namedGroup, namedGroups } from '../../views/index.ts'
import { date, oneOf, readId, readQuery, wholeNumber } from '../parameters.ts'
import { notThere } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'

export function groupRoutes(parts: ServerParts): Hono {
  const app = new Hono()

  app.get('/', async (c) => {
    const {
      level = 'story',
      order = 'recent',
      least: leastSize = 2,
      limit = 50,
      ...rest
    } = readQuery(c, {
      level: oneOf('copy', 'story'),
      order: oneOf('recent', 'large'),
      since: date,
      least: wholeNumber(2, 1_000_000),
      offset: wholeNumber(0, 100_000_000),
      limit: wholeNumber(1, 500),
    })
    const groups = await namedGroups({ level, order, leastSize, limit: limit + 1, ...rest }, parts)
    return c.json({ groups: groups.slice(0, limit), more: groups.length > limit })
  })

  app.post('/again', async (c) => c.json({ waiting: await parts.crawler.placeAgain() }, 202))

  app.get('/:id', async (c) => {
    const id = readId(c) as GroupId
    const found = await namedGroup(id, parts)
    if (!found) throw notThere('group', id)
    return c.json(found)
  })
  return app
}
