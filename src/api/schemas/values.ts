/** Values shared by many schemas: dates, ids, texts, cursors. Their descriptions also appear in error messages about invalid values. */
import { z } from '@hono/zod-openapi'
import { MAX_LABEL_LENGTH } from '../../model/index.ts'

/** In responses. Requests accept shorter forms. */
export const date = z.string().describe('a date in UTC, such as 2026-03-01T12:00:00.000Z')

/** In query parameters. */
export const dateParam = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/)
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => Date.parse(text))
  .openapi({ type: 'string', example: '2026-03-01T12:00:00Z' })
  .describe('a date such as 2026-03-01 or 2026-03-01T12:00:00Z')

export const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER).describe('an id')

export const idParam = wholeNumber(1, Number.MAX_SAFE_INTEGER)

/** Path parameters of a single item. */
export const idParams = z.object({ id: idParam })

export const shortText = z.string().max(MAX_LABEL_LENGTH).describe('a text of at most 1,000 characters')

export const trueOrFalse = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .describe('true or false')

export const scopeParam = z.literal('all').describe('all: the whole crawl, for admins. Default: what you may read')

export const countSchema = z.int().min(0)

/** 0 to 1. */
export const share = z.number().min(0).max(1)

/** The position at which a list continues. Opaque to clients. */
export const cursorParam = z.string().max(200).describe('next of the previous page')

export const next = z.string().optional().describe('Cursor of the next page. Absent on the last page.')

/** A number in a query, where it is text. */
export function wholeNumber(from: number, to: number) {
  return z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number)
    .refine((value) => value >= from && value <= to)
    .openapi({ type: 'integer', minimum: from, maximum: to })
    .describe(`a whole number from ${from} to ${to}`)
}

export function oneOf<const Words extends readonly [string, ...string[]]>(...choices: Words) {
  return z.enum(choices).describe(`one of ${choices.join(', ')}`)
}
