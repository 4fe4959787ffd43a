/** Checks that API responses match the OpenAPI description. */
import type { z } from '@hono/zod-openapi'
import { OPERATIONS } from '../src/api/index.ts'
import { problemSchema } from '../src/api/schemas/trouble.ts'

type Operation = (typeof OPERATIONS)[keyof typeof OPERATIONS]

const PATHS = Object.values(OPERATIONS).map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

const JSON_TYPES = new Set(['application/json', 'application/problem+json'])

/** Undefined if the operation is not documented. */
export function findOperation(method: string, path: string): Operation | undefined {
  const matching = PATHS.filter(
    ({ operation, pattern }) => operation.method === method.toLowerCase() && pattern.test(path),
  )
  return (matching.find(({ operation }) => !operation.path.includes('{')) ?? matching[0])?.operation
}

/** Describes how a response differs from the documentation; undefined if it matches. */
export async function findResponseMismatch(
  method: string,
  path: string,
  response: Response,
): Promise<string | undefined> {
  const operation = findOperation(method, path)
  if (!operation || response.status === 304) return undefined
  const { status } = response
  const what = `${operation.operationId} answered ${status}`
  if ([413, 415, 421, 500].includes(status)) return findMismatch(problemSchema, await response.clone().json(), what)
  const described = (operation.responses as Record<number, { content?: Record<string, { schema: z.ZodType }> }>)[status]
  if (!described) return `${what}, which is not described`
  const { content } = described
  if (!content)
    return (await response.clone().text()) === '' ? undefined : `${what} with a body, which is not described`
  const contentType = response.headers.get('content-type')?.split(';')[0] ?? ''
  const schema = (content[contentType] ?? content[contentType.replace(/\/.*/, '/*')])?.schema
  if (!schema) return `${what} as ${contentType}, and not as ${Object.keys(content).join(', ')}`
  // Responses other than JSON may be long or endless, so their bodies are not checked.
  return JSON_TYPES.has(contentType) ? findMismatch(schema, await response.clone().json(), what) : undefined
}

function findMismatch(schema: z.ZodType, body: unknown, what: string): string | undefined {
  const { success, error } = schema.safeParse(body)
  return success ? undefined : `${what} with what does not fit: ${error.message}`
}
