/**
 * Validates requests by the schemas of their operation, before they reach a route. Errors become a Problem that names the parameter or
 * field, with the schema's description of what is expected.
 */
import { OpenAPIHono, type z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { matchedRoutes, routePath } from 'hono/route'
import { OPERATIONS } from '../api/index.ts'
import { Problem } from './problem.ts'

/** A validation error of a schema. */
interface Issue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly keys?: readonly string[]
}

interface ValidationResult {
  target: string
  success: boolean
  data?: unknown
  error?: { issues: readonly Issue[] }
}

type Fields = z.ZodObject<Record<string, z.ZodType>>

const OPERATIONS_BY_ROUTE = new Map(
  Object.values(OPERATIONS).map((operation) => [`${operation.method} ${operation.getRoutingPath()}`, operation]),
)

/** An app for the routes of a resource. */
export function validatedRoutes(): OpenAPIHono {
  return new OpenAPIHono({ defaultHook: (result, c) => throwProblem(result as ValidationResult, c) })
}

/** For responses that are not JSON, which the types of routes do not support. */
export function asUntypedResponse(response: Response): never {
  return response as never
}

/** Turns hono's exception for unreadable bodies into a Problem. */
export function toProblem(error: unknown, c: Context): unknown {
  if (!(error instanceof HTTPException) || error.status !== 400) return error
  const what = c.get('bodyBytes') ? 'the body is not JSON' : 'the request has no body'
  return new Problem(400, what, hintFor(bodySchema(c)))
}

function throwProblem({ success, error, target }: ValidationResult, c: Context): void {
  const issue = error?.issues[0]
  if (success || !issue) return
  if (target === 'json') throw bodyProblem(issue, bodySchema(c))
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
  throw queryProblem(issue, c.req.query(), query?.shape ?? {})
}

/** The operation of a request; also works in middleware, before its route is reached. */
export function requestedOperation(c: Context) {
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
  for (const { path } of matchedRoutes(c)) {
    const operation = operationFor(method, path)
    if (operation) return operation
  }
  return undefined
}

/** `path` in the router's syntax. */
function operationFor(method: string, path: string) {
  return OPERATIONS_BY_ROUTE.get(`${method.toLowerCase()} ${path}`)
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

function queryProblem(issue: Issue, sent: Record<string, string>, fields: Record<string, z.ZodType>): Problem {
  const unknown = issue.keys?.[0]
  if (unknown !== undefined)
    return new Problem(
      400,
      `unknown parameter ${shortened(unknown)}`,
      `known parameters: ${Object.keys(fields).join(', ')}`,
    )
  const name = String(issue.path[0])
  return new Problem(
    400,
    `invalid parameter ${name}=${shortened(sent[name] ?? '')}`,
    `${name} is ${describeExpected(fields[name])}`,
  )
}

function bodyProblem({ code, path, message, keys }: Issue, schema: z.ZodType | undefined): Problem {
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
  return new Problem(400, `invalid field ${name}`, field ? `${String(path[0])} is ${describeExpected(field)}` : hint)
}

function hintFor(schema: z.ZodType | undefined): string {
  return `send ${schema?.description ?? `an object with any of: ${Object.keys(fieldsOf(schema)).join(', ')}`}`
}

function describeExpected(schema: z.ZodType | undefined): string {
  return schema?.description ?? (schema && innerOf(schema)?.description) ?? 'something else'
}

/** The schema inside `optional`, `nullable` or `default`. */
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
