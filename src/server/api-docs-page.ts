/** The API documentation as an HTML page without scripts, generated from the OpenAPI document. */
import { html } from 'hono/html'

/** The parts of OpenAPI that our document uses. */
interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  minimum?: number
  maximum?: number
  maxLength?: number
}

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  'x-scope': string
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
}

export interface ApiDocument {
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

type Html = ReturnType<typeof html>

const MAX_DEPTH = 6

export function apiDocsPage({ info, paths, components }: ApiDocument): Html {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )
  const tags = [...new Set(operations.flatMap(({ tags }) => tags))]
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${info.title}: the HTTP API</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/description.css" />
      </head>
      <body class="description">
        <header class="top"><a class="brand" href="/"><img src="/favicon.svg" alt="" width="30" height="30" />Freshet</a></header>
        <main>
          <h1>The HTTP API, version ${info.version}</h1>
          ${info.description.split('\n\n').map((paragraph) => html`<p>${paragraph}</p>`)}
          <p>For programs: <a href="/api/openapi.json">openapi.json</a></p>
          <nav aria-label="Resources"><ul>${tags.map((tag) => html`<li><a href="#${tag}">${tag}</a></li>`)}</ul></nav>
          ${tags.map(
            (tag) => html`<section aria-labelledby="${tag}">
              <h2 id="${tag}">${tag}</h2>
              ${operations.filter((operation) => operation.tags.includes(tag)).map(operationPart)}
            </section>`,
          )}
          <section aria-labelledby="shapes">
            <h2 id="shapes">Shapes</h2>
            ${Object.entries(components.schemas).map(
              ([name, schema]) =>
                html`<details id="${name}"><summary><code>${name}</code></summary>${schemaPart(schema)}</details>`,
            )}
          </section>
        </main>
      </body>
    </html>`
}

function operationPart({
  method,
  path,
  operationId,
  summary,
  parameters = [],
  requestBody,
  responses,
  ...more
}: Operation & { method: string; path: string }): Html {
  const body = requestBody?.content['application/json']?.schema
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return html`<details id="${operationId}">
    <summary><code><b>${method}</b> ${path}</code> ${summary}</summary>
    <p>Named <code>${operationId}</code>; ${more['x-scope'] === 'none' ? 'no login required' : html`requires the scope <b>${more['x-scope']}</b>`}.</p>
    ${parameters.length === 0 ? '' : html`<h3>Parameters</h3><dl>${parameters.map(({ name, required, description, schema }) => fieldPart(name, { ...schema, description: description ?? schema.description ?? '' }, required === true, MAX_DEPTH))}</dl>`}
    ${body ? html`<h3>Body</h3>${schemaPart(body)}` : ''}
    ${successes.map(([status, { description, content }]) => {
      const schema = Object.values(content ?? {})[0]?.schema
      return html`<h3>${status}: ${description}</h3>${schema ? schemaPart(schema) : ''}`
    })}
    <p>Else: ${Object.keys(responses)
      .filter((status) => !status.startsWith('2'))
      .join(', ')}, as problem+json.</p>
  </details>`
}

function schemaPart(schema: Schema, depth = 0): Html {
  const { properties, required = [], items } = schema
  if (depth > MAX_DEPTH) return html``
  if (properties)
    return html`<dl>${Object.entries(properties).map(([name, field]) => fieldPart(name, field, required.includes(name), depth))}</dl>`
  if (items && !items.$ref) return html`<p>A list of:</p>${schemaPart(items, depth + 1)}`
  const choices = schema.oneOf ?? schema.anyOf
  if (choices && !schema.$ref)
    return html`<ul>${choices.map((choice) => html`<li>${choice.$ref ? typePart(choice) : schemaPart(choice, depth + 1)}</li>`)}</ul>`
  return html`<p>${typePart(schema)} ${schema.description ?? ''}</p>`
}

function fieldPart(name: string, field: Schema, isRequired: boolean, depth: number): Html {
  const inner = field.properties ? field : field.items?.properties ? field.items : undefined
  return html`<dt><code>${name}</code>${isRequired ? html` <b>always</b>` : ''} ${typePart(field)}</dt>
    <dd>${field.description ?? ''}${inner ? schemaPart(inner, depth + 1) : ''}</dd>`
}

function typePart({ $ref, type, enum: choices, const: constant, items, minimum, maximum, maxLength }: Schema): Html {
  const refName = $ref?.split('/').at(-1)
  if (refName) return html`<a href="#${refName}">${refName}</a>`
  if (constant !== undefined) return html`<code>${JSON.stringify(constant)}</code>`
  if (choices)
    return html`${choices.map((choice, i) => html`${i > 0 ? ' | ' : ''}<code>${JSON.stringify(choice)}</code>`)}`
  if (items) return html`list of ${typePart(items)}`
  const bounds = [
    minimum !== undefined && `from ${minimum}`,
    maximum !== undefined && `to ${maximum}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
  ].filter(Boolean)
  return html`<i>${[type].flat().join(' or ')}${bounds.length > 0 ? `, ${bounds.join(' ')}` : ''}</i>`
}
