/** The API described by itself: OpenAPI 3.1, made of the operations that the routes answer. */
import { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../api/index.ts'
import type { ApiDocument } from './api-docs-page.ts'

const ABOUT = `Freshet finds feeds, learns when each publishes, and polls them so that news arrives early.

Dates are ISO 8601 in UTC, ids are numbers, and what is absent is left out. Lists are cut at \`limit\` and go on where \`next\` says:
send it as \`cursor\`; nothing is lost or doubled while entries arrive. What is wrong with a request is said as problem+json
(RFC 9457) with a \`hint\`. Answers have an ETag: send it as If-None-Match, and what did not change costs 304.`

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
