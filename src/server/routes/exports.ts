/** `/api/v1/export/…`: everything out, as it is taken. Who takes it slowly holds up nobody, and no more of it is made. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { OPERATIONS } from '../../api/index.ts'
import { type EntryId, type FeedId, type Instant, jsonText } from '../../model/index.ts'
import { type Exported, type ExportFilter, exportLines, hourlySeries, omitUndefined } from '../../views/index.ts'
import { Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { asUntypedResponse, validatedRoutes } from '../validation.ts'
import { viewerIdOf, visibleParts } from '../visible.ts'

/** Lines go out together until they are so long; each on its own would cost more than it is. */
const PIECE = 64 * 1024

export function exportRoutes(parts: ServerParts): OpenAPIHono {
  const app = validatedRoutes()

  async function answer(c: Context, what: Exported, filter: ExportFilter) {
    return answerLines(c, what, exportLines(what, await visibleParts(c, parts), filter))
  }

  function answerLines(c: Context, what: string, lines: AsyncIterable<string>) {
    const pieces = ReadableStream.from(inPieces(lines))
    return asUntypedResponse(
      c.body(pieces, 200, {
        'content-type': 'application/x-ndjson',
        'content-disposition': `attachment; filename="${what}.ndjson"`,
        'cache-control': 'no-store',
      }),
    )
  }

  app.openapi(OPERATIONS.exportFeeds, (c) => answer(c, 'feeds', {}))
  app.openapi(OPERATIONS.exportEntries, (c) => {
    const { unique, after, with: beside, ...rest } = c.req.valid('query')
    const further = { ...omitUndefined({ unique, after: after as EntryId | undefined }), with: beside }
    return answer(c, 'entries', { ...narrowed(rest), ...further })
  })
  app.openapi(OPERATIONS.exportArticles, (c) => {
    const { with: beside, ...rest } = c.req.valid('query')
    return answer(c, 'articles', { ...narrowed(rest), with: beside })
  })
  app.openapi(OPERATIONS.exportPolls, (c) => answer(c, 'polls', narrowed(c.req.valid('query'))))
  app.openapi(OPERATIONS.exportHours, async (c) => {
    const { category, folder, ...rest } = c.req.valid('query')
    const asked = { ...narrowed(rest), ...omitUndefined({ category, folder }) }
    const reader = await viewerIdOf(c)
    const found = await hourlySeries(asked, await visibleParts(c, parts), { reader, now: parts.clock.now() })
    if ('fault' in found) throw new Problem(404, found.fault, found.hint)
    return answerLines(c, 'hours', linesOf(found.hours))
  })
  return app
}

async function* linesOf(objects: Iterable<object>): AsyncGenerator<string> {
  for (const object of objects) yield jsonText(object)
}

function narrowed({ feed, since }: { feed?: number | undefined; since?: Instant | undefined }) {
  return omitUndefined({ feedId: feed as FeedId | undefined, since })
}

async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let piece = ''
  for await (const line of lines) {
    piece += `${line}\n`
    if (piece.length < PIECE) continue
    yield encoder.encode(piece)
    piece = ''
  }
  if (piece) yield encoder.encode(piece)
}
