/** Chapters of recordings, and with `--proxy-media` the recordings themselves, fetched by the server. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { type EntryId, HOUR, SECOND } from '../../model/index.ts'
import { chaptersOfEntry, entryRecording } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { notFound, Problem } from '../problem.ts'
import type { ByteRange } from '../recordings/recordings.ts'
import { viewerIdOf, visibleParts } from '../request-visibility.ts'
import type { SharedParts } from '../server-parts.ts'
import { asUntypedResponse, validatedRoutes } from '../validation.ts'

const RETRY_AFTER_SECONDS = 5

export function recordingRoutes(parts: SharedParts): OpenAPIHono {
  const { recordings, statedChapters } = parts
  const app = validatedRoutes()

  app.openapi(OPERATIONS.getChapters, async (c) => {
    const id = c.req.valid('param').id as EntryId
    const { catalogue } = await visibleParts(c, parts)
    const [entry] = await catalogue.entriesById([id])
    if (!entry) throw notFound('entry', id)
    const url = entry.podcast?.chaptersUrl
    const [scheduled] = url && statedChapters ? await catalogue.feedsById([entry.feedId]) : []
    const stated = url && scheduled ? await statedChapters?.get({ url, feedUrl: scheduled.feed.url }) : undefined
    c.header('cache-control', `private, max-age=${HOUR / SECOND}`)
    return c.json(chaptersOfEntry(entry, stated), 200)
  })

  app.openapi(OPERATIONS.getRecording, async (c) => {
    const id = c.req.valid('param').id as EntryId
    const { url } = c.req.valid('query')
    if (!recordings)
      throw new Problem(404, 'this server does not load audio and video', 'use the original address, or --proxy-media')
    const found = await entryRecording(id, url, await visibleParts(c, parts), await viewerIdOf(c))
    if (!found)
      throw new Problem(404, 'this entry has no such recording', 'only audio and video of an entry are loaded')
    const range = parseRange(c.req.header('range'))
    const opened = await recordings.open(found, range ?? { from: 0 }, String(await userIdOf(c)))
    switch (opened.kind) {
      case 'busy':
        throw new Problem(429, 'too many recordings are being loaded', 'retry in a moment', RETRY_AFTER_SECONDS)
      case 'none':
        throw new Problem(404, `the recording could not be loaded: ${opened.reason}`, 'use the original address')
      case 'beyond':
        return asUntypedResponse(c.body(null, 416, { 'content-range': `bytes */${opened.total ?? '*'}` }))
      case 'stream': {
        const { type, from, to, total, body } = opened
        return asUntypedResponse(
          c.body(body, range ? 206 : 200, {
            'content-type': type,
            'content-disposition': 'inline',
            'content-length': String(to - from + 1),
            'accept-ranges': 'bytes',
            'cache-control': 'private, no-store',
            ...(range && { 'content-range': `bytes ${from}-${to}/${total}` }),
          }),
        )
      }
    }
  })
  return app
}

/** One range from a position (RFC 9110, 14.2). Undefined for others, which servers may ignore. */
function parseRange(header: string | undefined): ByteRange | undefined {
  const [, from, to] = /^bytes=(\d{1,12})-(\d{0,12})$/.exec(header ?? '') ?? []
  if (from === undefined || (to && Number(to) < Number(from))) return undefined
  return { from: Number(from), ...(to && { to: Number(to) }) }
}
