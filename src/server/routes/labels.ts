/** The user's labels of entries. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { EntryId } from '../../model/index.ts'
import { MAX_LABELS } from '../../ports/index.ts'
import { omitUndefined, visibleToUser } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function labelRoutes(parts: ServerParts): OpenAPIHono {
  const { readerState, clock } = parts
  const app = validatedRoutes()

  app.openapi(OPERATIONS.listLabels, async (c) => {
    return c.json({ labels: await readerState.labelsOf(await userIdOf(c)) }, 200)
  })

  app.openapi(OPERATIONS.labelEntries, async (c) => {
    const { entries, add, remove } = c.req.valid('json')
    const userId = await userIdOf(c)
    const visible = await visibleToUser(userId, parts)
    const change = omitUndefined({ add, remove })
    const changed = await visible.readerState.labelEntries(userId, entries as EntryId[], change, clock.now())
    if (changed === 'too-many-labels') throw new Problem(409, `you have ${MAX_LABELS} labels`, 'remove some first')
    return c.json({ changed }, 200)
  })

  app.openapi(OPERATIONS.renameLabel, async (c) => {
    const { label } = c.req.valid('param')
    const { name } = c.req.valid('json')
    const result = await readerState.renameLabel(await userIdOf(c), label, name)
    if (result === 'unknown') throw unknownLabel()
    if (result === 'taken') throw new Problem(409, `you already have a label called ${name}`, 'choose another name')
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.removeLabel, async (c) => {
    const result = await readerState.renameLabel(await userIdOf(c), c.req.valid('param').label, null)
    if (result === 'unknown') throw unknownLabel()
    return c.body(null, 204)
  })
  return app
}

function unknownLabel(): Problem {
  return new Problem(404, 'you have no label of this name', 'see GET /api/v1/labels')
}
