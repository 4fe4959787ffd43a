/**
 * Fills in the templates of presets. A template is a string, or JSON whose strings are templates: `{{title}}`, `{{title:250}}` for at most
 * 250 characters, `{{title|html}}` with & < > escaped. Values are inserted once and never read as templates, and JSON is written after
 * they are inserted, so no value can break it.
 */

export type TemplateValues = Readonly<Record<string, string>>

export type JsonTemplate = string | number | boolean | JsonTemplate[] | { [name: string]: JsonTemplate }

const PLACEHOLDER = /\{\{(\w+)(\|html)?(?::(\d+))?\}\}/g

export function placeholdersIn(template: string): string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, name]) => name!)
}

/** `encode` is applied to each inserted value. Undefined if the template has placeholders and all of them are empty. */
export function fillText(
  template: string,
  values: TemplateValues,
  encode: (value: string) => string = (value) => value,
): string | undefined {
  const names = placeholdersIn(template)
  if (names.length > 0 && names.every((name) => !values[name])) return undefined
  return template.replace(PLACEHOLDER, (_, name: string, html?: string, length?: string) => {
    const value = truncate(values[name] ?? '', length === undefined ? undefined : Number(length))
    return encode(html ? escapeMarkup(value) : value)
  })
}

/** Without properties and items that have no value. */
export function fillJson(template: JsonTemplate, values: TemplateValues): JsonTemplate | undefined {
  if (typeof template === 'string') return fillText(template, values)
  if (typeof template !== 'object') return template
  if (Array.isArray(template)) {
    const filled = template.map((item) => fillJson(item, values)).filter((item) => item !== undefined)
    return template.length > 0 && filled.length === 0 ? undefined : filled
  }
  const filled = fillRecord(template, (item) => fillJson(item, values))
  return Object.keys(template).length > 0 && Object.keys(filled).length === 0 ? undefined : filled
}

export function fillTexts(template: Readonly<Record<string, string>>, values: TemplateValues): Record<string, string> {
  return fillRecord(template, (text) => fillText(text, values))
}

/** A value at the start is an address; others are parts of the path. */
export function fillAddress(template: string, values: TemplateValues): string {
  const [base, name] = /^\{\{(\w+)\}\}/.exec(template) ?? ['', '']
  const path = template.slice(base.length)
  const address = values[name] ?? ''
  const start = path.startsWith('/') ? address.replace(/\/+$/, '') : address
  return start + (fillText(path, values, encodePathPart) ?? '')
}

function fillRecord<From, To>(
  template: Readonly<Record<string, From>>,
  fill: (value: From) => To | undefined,
): Record<string, To> {
  const filled: Record<string, To> = {}
  for (const [name, value] of Object.entries(template)) {
    const result = fill(value)
    if (result !== undefined) filled[name] = result
  }
  return filled
}

/** Colons are common in tokens and ids, and allowed in paths. */
function encodePathPart(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll('%3A', ':')
}

function truncate(value: string, length: number | undefined): string {
  if (length === undefined || value.length <= length) return value
  return `${value
    .slice(0, length - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}

function escapeMarkup(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
