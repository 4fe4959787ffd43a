/**
 * Requests, checked by the schemas of their operation before any route sees them. What does not fit becomes a Problem that
 * names the parameter or field and says, in the schema's own words, what is expected there.
 */
import { OpenAPIHono, type z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { matchedRoutes, routePath } from 'hono/route'
import { OPERATIONS } from '../api/index.ts'
import { Problem } from './problem.ts'

/** What a schema has against a value. */
interface Issue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly keys?: readonly string[]
}

interface Checked {
  target: string
  success: boolean
  data?: unknown
  error?: { issues: readonly Issue[] }
}

type Fields = z.ZodObject<Record<string, z.ZodType>>

const BY_ROUTE = new Map(
  Object.values(OPERATIONS).map((operation) => [`${operation.method} ${operation.getRoutingPath()}`, operation]),
)

/** A place for the routes of a resource. */
export function validatedRoutes(): OpenAPIHono {
  return new OpenAPIHono({ defaultHook: (result, c) => refuse(result as Checked, c) })
}

/** For what is no JSON: the types of routes do not know that it can be answered. */
export function asUntypedResponse(response: Response): never {
  return response as never
}

/** What is thrown where a body cannot be read at all, in words. */
export function toProblem(error: unknown, c: Context): unknown {
  if (!(error instanceof HTTPException) || error.status !== 400) return error
  const what = c.get('bodyBytes') ? 'the body is not JSON' : 'the request has no body'
  return new Problem(400, what, hintFor(bodySchema(c)))
}

function refuse({ success, error, target }: Checked, c: Context): void {
  const issue = error?.issues[0]
  if (success || !issue) return
  if (target === 'json') throw wrongBody(issue, bodySchema(c))
  if (target === 'param') {
    const text = Object.values(c.req.param()).at(-1) ?? ''
    throw new Problem(
      400,
      `${shortened(text)} is not an id`,
      `an id is a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
    )
  }
  const request = requestOf(c)
  const query = request && 'query' in request ? (request.query as Fields) : undefined
  throw wrongQuery(issue, c.req.query(), query?.shape ?? {})
}

/** What a request asks for, also before its route is reached. */
export function requestedOperation(c: Context) {
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
  for (const { path } of matchedRoutes(c)) {
    const operation = operationFor(method, path)
    if (operation) return operation
  }
  return undefined
}

/** `path` as the router has it. */
function operationFor(method: string, path: string) {
  return BY_ROUTE.get(`${method.toLowerCase()} ${path}`)
}

function requestOf(c: Context) {
  const operation = operationFor(c.req.method, routePath(c))
  return operation && 'request' in operation ? operation.request : undefined
}

function bodySchema(c: Context): z.ZodType | undefined {
  const request = requestOf(c)
  if (!request || !('body' in request)) return undefined
  const { content } = request.body
  return 'application/json' in content ? content['application/json'].schema : undefined
}

function wrongQuery(issue: Issue, given: Record<string, string>, known: Record<string, z.ZodType>): Problem {
  const unknown = issue.keys?.[0]
  if (unknown !== undefined)
    return new Problem(
      400,
      `unknown parameter ${shortened(unknown)}`,
      `known parameters: ${Object.keys(known).join(', ')}`,
    )
  const name = String(issue.path[0])
  return new Problem(
    400,
    `invalid parameter ${name}=${shortened(given[name] ?? '')}`,
    `${name} is ${expected(known[name])}`,
  )
}

function wrongBody({ code, path, message, keys }: Issue, schema: z.ZodType | undefined): Problem {
  const hint = hintFor(schema)
  const unknown = keys?.[0]
  if (unknown !== undefined) {
    const where = path.length > 0 ? ` of ${path.join('.')}` : ''
    return new Problem(400, `unknown field "${shortened(unknown)}"${where}`, hint)
  }
  if (path.length === 0) return new Problem(400, code === 'custom' ? message : 'the body is not a JSON object', hint)
  const name = path.join('.')
  if (code === 'custom' && message !== 'Invalid input') return new Problem(400, message, hint)
  const field = fieldsOf(schema)[String(path[0])]
  return new Problem(400, `invalid field ${name}`, field ? `${String(path[0])} is ${expected(field)}` : hint)
}

function hintFor(schema: z.ZodType | undefined): string {
  return `send ${schema?.description ?? `an object with any of: ${Object.keys(fieldsOf(schema)).join(', ')}`}`
}

function expected(schema: z.ZodType | undefined): string {
  return schema?.description ?? (schema && innerOf(schema)?.description) ?? 'something else'
}

/** A schema behind `optional`, `nullable`, `default`. */
function innerOf(schema: z.ZodType): z.ZodType | undefined {
  const { innerType, in: before } = schema.def as { innerType?: z.ZodType; in?: z.ZodType }
  return innerType ?? before
}

function fieldsOf(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  for (let at = schema; at; at = innerOf(at)) if ('shape' in at) return (at as Fields).shape
  return {}
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
