/** Added addresses: as input, while their feed is searched for, and the result. */
import { z } from '@hono/zod-openapi'
import { MAX_ADDRESS_LENGTH } from '../../model/index.ts'
import { troubleSchema } from './trouble.ts'
import { countSchema, date, id } from './values.ts'

export const sourceSchema = z
  .strictObject({
    id,
    url: z.string(),
    hasLogin: z.literal(true).optional(),
    folder: z.string().optional(),
    state: z.enum(['looking', 'found']),
    feedId: id.optional(),
    others: z.array(z.string()).optional().describe('Other feeds of the site, best first.'),
    addedAt: date,
    dueAt: date.optional().describe('Absent once its feed is found.'),
    failures: countSchema,
    trouble: troubleSchema.optional(),
  })
  .openapi('Source')

export type SourceShape = z.infer<typeof sourceSchema>

export const credentialsInput = z
  .strictObject({ user: z.string().max(1000), password: z.string().max(1000) })
  .describe('{"user": "ada", "password": "…"}; stored, and never returned')

const addressInput = z
  .strictObject({
    url: z.string().max(MAX_ADDRESS_LENGTH),
    kind: z.enum(['any', 'feed']).default('any').describe('feed: the address of the feed itself, as in an OPML file'),
    title: z.string().optional(),
    folder: z.string().optional(),
    siteUrl: z.string().max(MAX_ADDRESS_LENGTH).optional(),
    credentials: credentialsInput.optional(),
  })
  .openapi('Address')

/** Longer lists are sent in several requests, or as OPML. */
const MAX_ADDRESSES = 1000

export const addressesInput = z
  .array(z.union([z.string().max(MAX_ADDRESS_LENGTH), addressInput]))
  .max(MAX_ADDRESSES)
  .describe(
    'a list of at most 1,000 addresses, each a text or an object with url, kind ("any" or "feed"), title, folder, siteUrl, credentials',
  )

const added = z.boolean().describe('It is new to the crawl.')
const title = z.string().optional().describe('As given with the address, as in an OPML file.')
const followed = z.boolean().optional().describe('You did not follow it before.')

export const subscriptionSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('feed'), url: z.string(), feedId: id, title, added, followed }),
    z.strictObject({ kind: z.literal('source'), url: z.string(), sourceId: id, title, added, followed }),
    z.strictObject({ kind: z.literal('refused'), url: z.string(), title, reason: z.string() }),
  ])
  .openapi('AddResult')

export type SubscriptionShape = z.infer<typeof subscriptionSchema>
