/** An address: as it is given, while its feed is looked for, and what became of it. */
import { z } from '@hono/zod-openapi'
import { LONGEST_ADDRESS } from '../../model/index.ts'
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
    others: z.array(z.string()).optional().describe('Further feeds of the site, best first.'),
    addedAt: date,
    dueAt: date.optional().describe('Absent once its feed is found.'),
    failures: countSchema,
    trouble: troubleSchema.optional(),
  })
  .openapi('Source')

export type SourceShape = z.infer<typeof sourceSchema>

export const credentialsInput = z
  .strictObject({ user: z.string().max(1000), password: z.string().max(1000) })
  .describe('{"user": "ada", "password": "…"}; they are taken, and never told again')

const addressInput = z
  .strictObject({
    url: z.string().max(LONGEST_ADDRESS),
    kind: z.enum(['any', 'feed']).default('any').describe('feed: it is a feed’s own, as in an OPML file'),
    title: z.string().optional(),
    folder: z.string().optional(),
    siteUrl: z.string().max(LONGEST_ADDRESS).optional(),
    credentials: credentialsInput.optional(),
  })
  .openapi('Address')

/** Longer lists are sent in several requests, or as OPML. */
const MOST_ADDRESSES = 1000

export const addressesInput = z
  .array(z.union([z.string().max(LONGEST_ADDRESS), addressInput]))
  .max(MOST_ADDRESSES)
  .describe(
    'a list of at most 1,000 addresses, each a text or an object with url, kind ("any" or "feed"), title, folder, siteUrl, credentials',
  )

const added = z.boolean().describe('It is new to the crawl.')
const followed = z.boolean().optional().describe('You did not follow it before.')

export const subscriptionSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('feed'), url: z.string(), feedId: id, added, followed }),
    z.strictObject({ kind: z.literal('source'), url: z.string(), sourceId: id, added, followed }),
    z.strictObject({ kind: z.literal('refused'), url: z.string(), reason: z.string() }),
  ])
  .openapi('Subscription')

export type SubscriptionShape = z.infer<typeof subscriptionSchema>
