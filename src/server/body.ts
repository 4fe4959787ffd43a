/**
 * What a request brings along, read within a bound: in one piece or in chunks, or not at all, which is no mistake of anybody
 * where nothing is needed. Whoever needs a body reads it; one that is announced as too large is refused before.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { Problem } from './problem.ts'

const MOST_BYTES = 64 * 1024
/** An OPML file of some 300,000 feeds. */
const MOST_OPML_BYTES = 64 * 1024 * 1024

export const refuseLargeBodies: MiddlewareHandler = async (c, next) => {
  const announced = Number(c.req.header('content-length') ?? 0)
  if (announced > mostBytesFor(c)) throw tooLarge(mostBytesFor(c))
  await next()
}

/** Throws a Problem for everything that is no JSON object; `hint` says what is expected there. */
export async function readJsonObject(c: Context, hint: string): Promise<Record<string, unknown>> {
  const text = new TextDecoder().decode(await readRequestBody(c.req.raw.body, mostBytesFor(c)))
  if (text.trim() === '') throw new Problem(400, 'the request has no body', hint)
  const body = parsed(text, hint)
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>
  throw new Problem(400, 'the body is not a JSON object', hint)
}

export async function readRequestBody(body: ReadableStream<Uint8Array> | null, mostBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.length
      if (bytes > mostBytes) throw tooLarge(mostBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem(400, 'the body broke off', 'send it again')
  }
  return Buffer.concat(chunks)
}

function parsed(text: string, hint: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem(400, 'the body is not JSON', hint)
  }
}

function mostBytesFor(c: Context): number {
  return c.req.path === '/api/feeds' ? MOST_OPML_BYTES : MOST_BYTES
}

function tooLarge(mostBytes: number): Problem {
  return new Problem(413, 'the body is too large', `at most ${Math.floor(mostBytes / 1024)} KB are taken here`)
}
