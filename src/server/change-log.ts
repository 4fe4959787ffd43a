/**
 * Logs changes after they succeeded: the user, the operation, the id of the changed object and the names of the fields. Values are never
 * logged, so no secrets are.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { omitUndefined } from '../views/index.ts'
import { callerOf } from './authorize.ts'
import { decodeIfPossible } from './percent-decoding.ts'
import { requestIdOf } from './request-id.ts'
import { requestedOperation } from './validation.ts'

export interface LoggedChange {
  /** The user's name; absent if nobody is logged in. */
  user?: string
  /** The operation id. */
  operation: string
  /** The changed object: an id, or the name of a folder. */
  target?: string
  fields?: string[]
  requestId?: string
}

const MAX_LOGGED_FIELDS = 20

/** What users read is private, and a line for each entry would hide everything else. */
const UNLOGGED_TAGS = ['reading']

export function logChanges(onChange: (change: LoggedChange) => void): MiddlewareHandler {
  return async (c, next) => {
    await next()
    if (c.req.method === 'GET' || c.req.method === 'HEAD' || !c.res.ok) return
    const operation = requestedOperation(c)
    if (operation && !UNLOGGED_TAGS.some((tag) => operation.tags.includes(tag)))
      onChange({ ...changeIn(c, operation.path), operation: operation.operationId })
  }
}

function changeIn(c: Context, path: string): Omit<LoggedChange, 'operation'> {
  const index = path.split('/').findIndex((part) => part.startsWith('{'))
  const target = index < 0 ? undefined : decodeIfPossible(c.req.path.split('/')[index] ?? '')
  const fields = fieldsIn(c)
  const requestId = requestIdOf(c)
  const user = callerOf(c)?.user?.name
  return { ...omitUndefined({ user, target, requestId }), ...(fields.length > 0 && { fields }) }
}

/** Uses the validated body, so a long list of feeds is not parsed twice. */
function fieldsIn(c: Context): string[] {
  const body: unknown = c.req.valid('json' as never)
  return typeof body === 'object' && body !== null ? Object.keys(body).slice(0, MAX_LOGGED_FIELDS) : []
}
