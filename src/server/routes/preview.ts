/** What an address leads to, before somebody decides: every candidate with its entries, its pace, and why it ranks there. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { givenAddress } from '../../feeds/index.ts'
import { MINUTE, withoutCredentials } from '../../model/index.ts'
import { previewOf } from '../../views/index.ts'
import { checkedRoutes } from '../checked.ts'
import { Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'

/** A look takes requests and seconds of a stranger's site. */
const MOST_AT_ONCE = 4
const LONGEST_MS = 2 * MINUTE
const COME_AGAIN_SECONDS = 5

export function previewRoutes({ engineRoom, catalogue, closing }: ServerParts): OpenAPIHono {
  const app = checkedRoutes()
  let underWay = 0

  app.openapi(OPERATIONS.previewFeeds, async (c) => {
    const { url } = c.req.valid('json')
    const address = givenAddress(url)
    if (!address)
      throw new Problem(400, `"${withoutCredentials(url)}" is no address of the web`, 'send one with https://')
    if (!engineRoom) throw new Problem(404, 'nothing is looked for from here', 'freshet discover does it')
    if (underWay >= MOST_AT_ONCE)
      throw new Problem(429, 'several looks are under way', 'come again in a moment', COME_AGAIN_SECONDS)
    underWay++
    try {
      const patience = AbortSignal.timeout(LONGEST_MS)
      const signal = AbortSignal.any([c.req.raw.signal, patience, ...(closing ? [closing] : [])])
      return c.json(await previewOf(await engineRoom.discover(address.url, signal), catalogue), 200)
    } finally {
      underWay--
    }
  })
  return app
}
