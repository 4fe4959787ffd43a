/** `/api/v1/export/…`: streamed exports. Lines are generated as the client reads them, so slow clients cost nothing. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { OPERATIONS } from '../../api/index.ts'
import { type EntryId, type FeedId, type Instant, jsonText } from '../../model/index.ts'
import { type ExportFilter, type ExportKind, exportLines, hourlySeries, omitUndefined } from '../../views/index.ts'
import { Problem } from '../problem.ts'
import { viewerIdOf, visibleParts } from '../request-visibility.ts'
import type { ServerParts } from '../server-parts.ts'
import { asUntypedResponse, validatedRoutes } from '../validation.ts'

/** Lines are sent together up to this length, because small writes are expensive. */
const CHUNK_LENGTH = 64 * 1024

export function exportRoutes(parts: ServerParts): OpenAPIHono {
  const { includeNoArchive = false } = parts
  const app = validatedRoutes()

  async function answer(c: Context, kind: ExportKind, filter: ExportFilter) {
    return answerLines(
      c,
      kind,
      exportLines(kind, await visibleParts(c, parts), { ...filter, includeNoArchive, reader: await viewerIdOf(c) }),
    )
  }

  function answerLines(c: Context, kind: string, lines: AsyncIterable<string>) {
    const chunks = ReadableStream.from(inChunks(lines))
    return asUntypedResponse(
      c.body(chunks, 200, {
        'content-type': 'application/x-ndjson',
        'content-disposition': `attachment; filename="${kind}.ndjson"`,
        'cache-control': 'no-store',
      }),
    )
  }

  app.openapi(OPERATIONS.exportFeeds, (c) => answer(c, 'feeds', {}))
  app.openapi(OPERATIONS.exportEntries, (c) => {
    const { unique, after, with: related, ...rest } = c.req.valid('query')
    const options = { ...omitUndefined({ unique, after: after as EntryId | undefined }), with: related }
    return answer(c, 'entries', { ...narrowed(rest), ...options })
  })
  app.openapi(OPERATIONS.exportArticles, (c) => {
    const { with: related, ...rest } = c.req.valid('query')
    return answer(c, 'articles', { ...narrowed(rest), with: related })
  })
  app.openapi(OPERATIONS.exportPolls, (c) => answer(c, 'polls', narrowed(c.req.valid('query'))))
  app.openapi(OPERATIONS.exportHours, async (c) => {
    const { category, folder, ...rest } = c.req.valid('query')
    const hourFilter = { ...narrowed(rest), ...omitUndefined({ category, folder }) }
    const reader = await viewerIdOf(c)
    const found = await hourlySeries(hourFilter, await visibleParts(c, parts), { reader, now: parts.clock.now() })
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

async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let chunk = ''
  for await (const line of lines) {
    chunk += `${line}\n`
    if (chunk.length < CHUNK_LENGTH) continue
    yield encoder.encode(chunk)
    chunk = ''
  }
  if (chunk) yield encoder.encode(chunk)
}
