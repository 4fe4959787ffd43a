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

/** Undefined if nothing of the kind is described. */
export function operationAt(method: string, path: string): Operation | undefined {
  const fitting = PATHS.filter(
    ({ operation, pattern }) => operation.method === method.toLowerCase() && pattern.test(path),
  )
  return (fitting.find(({ operation }) => !operation.path.includes('{')) ?? fitting[0])?.operation
}

/** What is wrong with the answer, in words; undefined if nothing is. */
export async function undescribedResponse(
  method: string,
  path: string,
  response: Response,
): Promise<string | undefined> {
  const operation = operationAt(method, path)
  if (!operation || response.status === 304) return undefined
  const { status } = response
  const what = `${operation.operationId} answered ${status}`
  if ([413, 415, 421, 500].includes(status)) return troubleWith(problemSchema, await response.clone().json(), what)
  const described = (operation.responses as Record<number, { content?: Record<string, { schema: z.ZodType }> }>)[status]
  if (!described) return `${what}, which is not described`
  const { content } = described
  if (!content)
    return (await response.clone().text()) === '' ? undefined : `${what} with a body, which is not described`
  const told = response.headers.get('content-type')?.split(';')[0] ?? ''
  const schema = content[told]?.schema
  if (!schema) return `${what} as ${told}, and not as ${Object.keys(content).join(', ')}`
  // What is no JSON may be long, or never end.
  return JSON_TYPES.has(told) ? troubleWith(schema, await response.clone().json(), what) : undefined
}

function troubleWith(schema: z.ZodType, body: unknown, what: string): string | undefined {
  const { success, error } = schema.safeParse(body)
  return success ? undefined : `${what} with what does not fit: ${error.message}`
}
