/** `/api/folders`: what is wanted of the polls of all feeds in a folder. */
import { Hono } from 'hono'
import { readJsonObject } from '../body.ts'
import type { ServerParts } from '../server-parts.ts'
import { EXPECTED_WANTS, readWants } from './wants.ts'

export function folderRoutes({ marketBook, crawler }: ServerParts): Hono {
  const app = new Hono()
  app.get('/', async (c) => {
    const folders = await marketBook.folders()
    return c.json({ folders: [...folders].map(([folder, wants]) => ({ folder, wants })) })
  })

  app.put('/:folder', async (c) => {
    const wants = readWants(await readJsonObject(c, EXPECTED_WANTS))
    const folder = c.req.param('folder')
    await crawler.want(folder, wants)
    return c.json({ folder, wants })
  })
  return app
}
