/** Reading the path and the JSON body of requests to Miniflux's API. */
import type { Context } from 'hono'
import { Problem } from '../../problem.ts'

export function numberIn(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Problem(400, `${text.slice(0, 40)} is not a number`, 'ids are whole numbers')
}

/** A number in the path. */
export function idIn(c: Context, name = 'id'): number {
  return numberIn(c.req.param(name) ?? '')
}

export async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  const body: unknown = await c.req.json().catch(() => undefined)
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  throw new Problem(400, 'the body is not a JSON object', 'send JSON')
}

export function textIn(body: Record<string, unknown>, name: string): string {
  const value = body[name]
  return typeof value === 'string' ? value.trim().slice(0, 2000) : ''
}
