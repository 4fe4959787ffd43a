/** The OpenAPI document matches the routes, and random requests cause no internal errors. */
import { describe, expect, test } from 'vitest'
import { createRequests } from '../../test/invalid-requests.ts'
import { createServerFixture } from '../../test/server-fixture.ts'
import { OPERATIONS } from '../api/index.ts'

const operations = Object.entries(OPERATIONS)

describe('the description', () => {
  test('has exactly the routes of the API', async () => {
    const { routes } = await createServerFixture().load()
    const served = routes.filter(({ method, path }) => /^\/(api\/v1|feeds)\//.test(path) && method !== 'ALL')
    const described = operations.map(
      ([, { method, path }]) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    )
    expect([...new Set(served.map(({ method, path }) => `${method} ${path}`))].sort()).toEqual(described.sort())
  })

  test('is served as OpenAPI 3.1, with a name, a sentence and a scope for each operation', async () => {
    const { app } = createServerFixture()
    const document = (await (await app.request('/api/openapi.json')).json()) as {
      openapi: string
      paths: Record<string, Record<string, { operationId: string; summary: string; 'x-scope': string }>>
    }
    expect(document.openapi).toBe('3.1.0')
    const found = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    expect(found.map(({ operationId }) => operationId).sort()).toEqual(operations.map(([name]) => name).sort())
    for (const { summary, 'x-scope': scope } of found) {
      expect(summary).toMatch(/^[A-Z].{10,}[^.]$/)
      expect(['read', 'write', 'admin', 'none']).toContain(scope)
    }
  })

  test('never combines closed objects with allOf, which no value could match', async () => {
    const document = await (await createServerFixture().app.request('/api/openapi.json')).json()
    const combined: unknown[] = []
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      const parts = 'allOf' in value ? (value.allOf as object[]) : []
      if (parts.filter((part) => '$ref' in part || 'properties' in part).length > 1) combined.push(value)
      for (const inner of Object.values(value)) walk(inner)
    }
    walk(document)
    expect(combined).toEqual([])
    const { FoundEntry, EntryDetails } = (
      document as never as { components: { schemas: Record<string, { properties: object }> } }
    ).components.schemas
    expect(Object.keys(FoundEntry!.properties)).toEqual(expect.arrayContaining(['id', 'title', 'found']))
    expect(Object.keys(EntryDetails!.properties)).toEqual(expect.arrayContaining(['id', 'title', 'simhash']))
  })

  test('is also an HTML page with every operation and no scripts', async () => {
    const { app } = createServerFixture()
    const page = await (await app.request('/api')).text()
    for (const [name, { path, summary }] of operations)
      for (const text of [`id="${name}"`, path, summary.replaceAll('&', '&amp;')]) expect(page).toContain(text)
    expect(page).not.toMatch(/<script|\[object|undefined/)
  })

  test('an unchanged response is 304', async () => {
    const { app } = createServerFixture()
    const first = await app.request('/api/v1/feeds')
    const etag = first.headers.get('etag')!
    const second = await app.request('/api/v1/feeds', { headers: { 'if-none-match': etag } })
    expect([second.status, await second.text()]).toEqual([304, ''])
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
  })
})

interface RequestSchemas {
  params?: object
  query?: object
  body?: { content: Record<string, { schema: object }> }
}

describe.each(operations)('%s, asked for nonsense', (_, operation) => {
  const { query, body }: RequestSchemas = 'request' in operation ? operation.request : {}

  test('answers 2xx, or 4xx with a message and a hint, as documented', async () => {
    const internalErrors: unknown[] = []
    const fixture = createServerFixture({ onInternalError: (error) => internalErrors.push(error) })
    const entries = [{ title: 'High', agoMs: 1000 }]
    await fixture.addFeed({ url: 'https://tides.example/feed', title: 'Tides', entries })
    await fixture.index()
    const requests = createRequests(operation.operationId.length)
    for (let i = 0; i < 60; i++) {
      const path = operation.path.replaceAll(/\{\w+\}/g, () => (i % 3 ? '1' : encoded(requests.value())))
      const requestUrl = i % 2 ? `${path}?${requests.query([...namesIn(query), 'nobody'])}` : path
      const sent =
        operation.method === 'get'
          ? {}
          : { headers: JSON_TYPE, body: requests.body(namesIn(body?.content['application/json']?.schema)) }
      const { status } = await fixture.app.request(requestUrl, { method: operation.method.toUpperCase(), ...sent })
      expect(status).toBeLessThan(500)
    }
    expect(internalErrors).toEqual([])
  })
})

const JSON_TYPE = { 'content-type': 'application/json' }

/** The fields of a schema, also inside a refinement. */
function namesIn(schema: object | undefined): string[] {
  const { shape, def } = (schema ?? {}) as { shape?: object; def?: { in?: object } }
  return shape ? Object.keys(shape) : def?.in ? namesIn(def.in) : []
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()) || 'x'
}
