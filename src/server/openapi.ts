/** The OpenAPI 3.1 document, generated from the operations that the routes implement. */
import { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../api/index.ts'
import type { ApiDocument } from './api-docs-page.ts'

const ABOUT = `Freshet finds feeds, learns when each publishes, and polls them so that news arrives early.

Dates are ISO 8601 in UTC, ids are numbers, and absent values are left out. Lists return up to \`limit\` items and a \`next\` cursor: send it
as \`cursor\` for the next page. No item is skipped or repeated while entries arrive. Errors are problem+json (RFC 9457) with a \`hint\`.
Responses have an ETag: send it as If-None-Match to get 304 when nothing changed.`

export function openApiDocument(version: string): ApiDocument {
  const app = new OpenAPIHono()
  const registry = app.openAPIRegistry
  for (const operation of Object.values(OPERATIONS)) registry.registerPath(operation)
  registry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' })
  registry.registerComponent('securitySchemes', 'session', { type: 'apiKey', in: 'cookie', name: 'freshet_session' })
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Freshet', version, description: ABOUT, license: { name: 'MIT' } },
    servers: [{ url: '/' }],
  }) as unknown as ApiDocument
}
