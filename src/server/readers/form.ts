/** The form fields of a request, in its address or in its body: clients of these protocols use both for the same things. */
import type { Context } from 'hono'
import { Problem } from '../problem.ts'

export interface Form {
  get(name: string): string | undefined
  all(name: string): string[]
  has(name: string): boolean
}

/** More than any client sends at once. */
const MAX_FIELDS = 20_000

/** Fields of the address come before those of the body. */
export async function formIn(c: Context): Promise<Form> {
  return formOf([...new URL(c.req.url).searchParams, ...(await bodyFields(c))])
}

/** Only the fields of the body, for secrets: addresses are logged, and links can be made by others. */
export async function bodyFormIn(c: Context): Promise<Form> {
  return formOf(await bodyFields(c))
}

async function bodyFields(c: Context): Promise<[string, string][]> {
  if (c.req.method !== 'POST') return []
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  return type === 'multipart/form-data' ? multipart(c) : [...new URLSearchParams(await c.req.text())]
}

function formOf(fields: [string, string][]): Form {
  if (fields.length > MAX_FIELDS) throw new Problem(413, 'too many fields', `send at most ${MAX_FIELDS}`)
  return {
    get: (name) => fields.find(([key]) => key === name)?.[1],
    all: (name) => fields.flatMap(([key, value]) => (key === name ? [value] : [])),
    has: (name) => fields.some(([key]) => key === name),
  }
}

async function multipart(c: Context): Promise<[string, string][]> {
  try {
    const form = await c.req.formData()
    return [...form].flatMap(([key, value]) => (typeof value === 'string' ? [[key, value] as [string, string]] : []))
  } catch {
    throw new Problem(400, 'invalid form', 'send it as application/x-www-form-urlencoded')
  }
}

/** A whole number, at most `most`; `usual` where it is absent or not a number. */
export function wholeField(form: Form, name: string, defaultValue: number, max: number): number {
  const text = form.get(name)
  return text !== undefined && /^\d{1,15}$/.test(text) ? Math.min(Number(text), max) : defaultValue
}
