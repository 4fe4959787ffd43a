/** Pictures of entries and icons of feeds, fetched by the server, so browsers contact no other site. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { OPERATIONS } from '../../api/index.ts'
import { DAY, type EntryId, type FeedId, HOUR, SECOND } from '../../model/index.ts'
import { entryPicture, feedIcon, type LinkedFile } from '../../views/index.ts'
import { notFound, Problem } from '../problem.ts'
import { viewerIdOf, visibleParts } from '../request-visibility.ts'
import type { SharedParts } from '../server-parts.ts'
import { asUntypedResponse, validatedRoutes } from '../validation.ts'

const RETRY_AFTER_SECONDS = 5
/** Lists request the icon of every feed in view; most sites without an icon will not have one an hour later. */
const MISSING_CACHE = { cacheSeconds: HOUR / SECOND }

export function pictureRoutes(parts: SharedParts): OpenAPIHono {
  const { pictures } = parts
  const app = validatedRoutes()

  async function answer(c: Context, source: LinkedFile) {
    if (!pictures) throw new Problem(404, 'this server does not fetch images', 'use the original address')
    const picture = await pictures.get(source)
    if (picture.kind === 'busy')
      throw new Problem(429, 'too many images are being fetched', 'retry in a moment', RETRY_AFTER_SECONDS)
    if (picture.kind === 'none')
      throw new Problem(
        404,
        `the image could not be fetched: ${picture.reason}`,
        'it is retried later',
        undefined,
        MISSING_CACHE,
      )
    return asUntypedResponse(
      c.body(picture.body, 200, {
        'content-type': picture.type,
        'content-disposition': 'inline',
        'cache-control': `private, max-age=${DAY / SECOND}`,
      }),
    )
  }

  app.openapi(OPERATIONS.getPicture, async (c) => {
    const { id } = c.req.valid('param')
    const { url, size = 'full' } = c.req.valid('query')
    const wanted = url === undefined ? { size } : { url }
    const picture = await entryPicture(id as EntryId, wanted, await visibleParts(c, parts), await viewerIdOf(c))
    if (picture === undefined || !/^https?:/.test(picture.url)) throw new Problem(404, ...NOT_NAMED)
    return answer(c, picture)
  })

  app.openapi(OPERATIONS.getIcon, async (c) => {
    const { id } = c.req.valid('param')
    const icon = await feedIcon(id as FeedId, (await visibleParts(c, parts)).catalogue)
    if (icon === undefined) throw notFound('feed', id)
    return answer(c, icon)
  })
  return app
}

const NOT_NAMED = ['this entry has no such picture', 'only pictures in an entry or its article are fetched'] as const
