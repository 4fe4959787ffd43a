/**
 * Who changed what, for the log: told after it was done, by the name of the operation, the id of what was changed and the names
 * of the fields. No value of a field is ever told, so no secret is.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { omitUndefined } from '../views/index.ts'
import { callerOf } from './authorize.ts'
import { decodeIfPossible } from './percent-decoding.ts'
import { requestIdOf } from './request-id.ts'
import { requestedOperation } from './validation.ts'

export interface LoggedChange {
  /** Absent where nobody logs in. */
  who?: string
  /** The operation's name. */
  what: string
  /** Of what it was done to: an id, or a folder's name. */
  on?: string
  fields?: string[]
  requestId?: string
}

const MAX_LOGGED_FIELDS = 20

/** What somebody has read is nobody's business, and a line for each entry would hide the rest. */
const UNLOGGED_TAGS = ['reading']

export function logChanges(onChange: (change: LoggedChange) => void): MiddlewareHandler {
  return async (c, next) => {
    await next()
    if (c.req.method === 'GET' || c.req.method === 'HEAD' || !c.res.ok) return
    const found = requestedOperation(c)
    if (found && !UNLOGGED_TAGS.some((tag) => found.tags.includes(tag)))
      onChange({ ...changeIn(c, found.path), what: found.operationId })
  }
}

function changeIn(c: Context, path: string): Omit<LoggedChange, 'what'> {
  const place = path.split('/').findIndex((part) => part.startsWith('{'))
  const on = place < 0 ? undefined : decodeIfPossible(c.req.path.split('/')[place] ?? '')
  const fields = fieldsIn(c)
  const requestId = requestIdOf(c)
  const who = callerOf(c)?.person?.name
  return { ...omitUndefined({ who, on, requestId }), ...(fields.length > 0 && { fields }) }
}

/** As they were checked: a long list of feeds is not read twice. */
function fieldsIn(c: Context): string[] {
  const body: unknown = c.req.valid('json' as never)
  return typeof body === 'object' && body !== null ? Object.keys(body).slice(0, MAX_LOGGED_FIELDS) : []
}
