/**
 * Reading what a request asks for. Each parameter has a reader that knows what it expects and says so when something
 * else comes; a parameter that nobody knows is refused too, for a misspelt filter that filters nothing is worse than a 400.
 */
import type { Context } from 'hono'
import type { Instant } from '../model/index.ts'
import { Problem } from './problem.ts'

/** `read` answers undefined when the text is not what was expected. */
interface Reader<Value> {
  expected: string
  read(text: string): Value | undefined
}

type Values<Readers> = { [Name in keyof Readers]?: Readers[Name] extends Reader<infer Value> ? Value : never }

export function readQuery<Readers extends Record<string, Reader<unknown>>>(
  c: Context,
  readers: Readers,
): Values<Readers> {
  const values: Record<string, unknown> = {}
  for (const [name, text] of new URL(c.req.url).searchParams) {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined
    if (!reader)
      throw new Problem(400, `nobody knows the parameter ${name}`, `known are ${Object.keys(readers).join(', ')}`)
    const value = reader.read(text)
    if (value === undefined)
      throw new Problem(400, `${name}=${shorten(text)} makes no sense`, `${name} is ${reader.expected}`)
    values[name] = value
  }
  return values as Values<Readers>
}

/** The `:id` of a path. */
export function readId(c: Context): number {
  const text = c.req.param('id') ?? ''
  const id = idNumber.read(text)
  if (id === undefined) throw new Problem(400, `${shorten(text)} is no id`, `an id is ${idNumber.expected}`)
  return id
}

export function wholeNumber(from: number, to: number): Reader<number> {
  return {
    expected: `a whole number from ${from} to ${to}`,
    read(text) {
      const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
      return value >= from && value <= to ? value : undefined
    },
  }
}

export const idNumber = wholeNumber(1, Number.MAX_SAFE_INTEGER)

export const words: Reader<string> = {
  expected: 'a text of at most 1,000 characters',
  read: (text) => (text.length <= 1000 ? text : undefined),
}

export const trueOrFalse: Reader<boolean> = {
  expected: 'true or false',
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
}

export const date: Reader<Instant> = {
  expected: 'a date such as 2026-03-01 or 2026-03-01T12:00:00Z',
  read(text) {
    const at = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
      ? Date.parse(text)
      : Number.NaN
    return Number.isNaN(at) ? undefined : at
  },
}

export function oneOf<Word extends string>(...choices: Word[]): Reader<Word> {
  return { expected: `one of ${choices.join(', ')}`, read: (text) => choices.find((choice) => choice === text) }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
