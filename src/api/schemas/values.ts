/** Values that many schemas share: dates, ids, addresses, pages of a list. Each says in a clause what it is, which is also said to who sends something else. */
import { z } from '@hono/zod-openapi'
import { LONGEST_LABEL } from '../../model/index.ts'

/** In answers; requests may be shorter. */
export const date = z.string().describe('a date in UTC, such as 2026-03-01T12:00:00.000Z')

/** In the query of a request. */
export const dateParam = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/)
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => Date.parse(text))
  .openapi({ type: 'string', example: '2026-03-01T12:00:00Z' })
  .describe('a date such as 2026-03-01 or 2026-03-01T12:00:00Z')

export const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER).describe('an id')

export const idParam = wholeNumber(1, Number.MAX_SAFE_INTEGER)

/** Of paths that name one thing. */
export const idParams = z.object({ id: idParam })

export const shortText = z.string().max(LONGEST_LABEL).describe('a text of at most 1,000 characters')

export const trueOrFalse = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .describe('true or false')

export const scopeParam = z.literal('all').describe('all: of the whole crawl, for admins; else of what one may read')

export const countSchema = z.int().min(0)

/** 0 to 1. */
export const share = z.number().min(0).max(1)

/** Where a list goes on; nobody but us need understand it. */
export const cursorParam = z.string().max(200).describe('what the answer before gave as next')

export const next = z
  .string()
  .optional()
  .describe('Where the list goes on: ask again with it as cursor. Absent at the end of the list.')

/** In a query numbers are written as text. */
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
