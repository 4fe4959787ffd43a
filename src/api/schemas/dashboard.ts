/** What the engine room shows beside feeds, polls and statistics: candidates, hosts, sites, delays, prices, the lab, settings. */
import { z } from '@hono/zod-openapi'
import { feedSchema } from './feed.ts'
import { troubleSchema } from './trouble.ts'
import { countSchema, date, id, share } from './values.ts'

const candidateSchema = z
  .strictObject({
    url: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    siteUrl: z.string().optional(),
    language: z.string().optional(),
    format: z.enum(['rss', 'atom', 'rdf', 'json', 'cdf']),
    score: z.number().describe('How likely it is the one that is meant.'),
    why: z.array(z.string()).describe('What spoke for and against it.'),
    sameListAs: z.string().optional().describe('It is another document of a list that this one stands for.'),
    feedId: id.optional().describe('It is polled already.'),
    perDay: z.number().optional().describe('Entries a day, by the dates in it.'),
    entries: z
      .array(z.strictObject({ title: z.string(), url: z.string().optional(), publishedAt: date.optional() }))
      .describe('The first few.'),
    size: countSchema.describe('How many entries it has.'),
  })
  .openapi('Candidate')

export type CandidateShape = z.infer<typeof candidateSchema>

export const previewSchema = z
  .strictObject({
    candidates: z.array(candidateSchema).describe('Best first.'),
    asked: z
      .array(z.strictObject({ url: z.string(), via: z.string(), words: z.string() }))
      .describe('Every address that was asked for, and what came.'),
    trouble: troubleSchema.optional().describe('Why there is none.'),
    hint: z.string().optional(),
  })
  .openapi('Preview')

export type PreviewShape = z.infer<typeof previewSchema>

const robotsSchema = z.strictObject({
  origin: z.string(),
  found: z.enum(['read', 'none', 'unreachable']),
  rules: countSchema.describe('That concern us.'),
  crawlDelayMs: z.number().optional(),
  fetchedAt: date,
})

export const knownHostSchema = z
  .strictObject({
    root: z.string(),
    restsUntil: date.optional().describe('Nothing is fetched from it before then.'),
    strikes: countSchema.describe('How often in a row it has asked for patience.'),
    trouble: troubleSchema.optional(),
    gapFactor: z.number().optional().describe('How many usual gaps make one of its own, as it has taught us.'),
    crawlDelay: z.strictObject({ ms: z.number(), origin: z.string(), until: date }).optional(),
    incident: z
      .strictObject({ state: z.enum(['incident', 'recovering']), sign: z.string(), since: date, canaries: countSchema })
      .optional()
      .describe('Its feeds fail alike: it is not they.'),
  })
  .openapi('KnownHost')

export type KnownHostShape = z.infer<typeof knownHostSchema>

const betweenSchema = z.strictObject({ feedId: id, feedTitle: z.string(), count: countSchema })

export const siteSchema = z
  .strictObject({
    host: z.string(),
    feeds: z.array(feedSchema),
    more: z.boolean().describe('There are more feeds than are shown.'),
    looked: countSchema.describe('At how many of its newest entries was looked for what follows.'),
    alone: countSchema.describe('Of these nobody else said the same.'),
    copiedBy: z.array(betweenSchema).describe('Who repeats what it says, the most first.'),
    copies: z.array(betweenSchema).describe('Whom it repeats, the most first.'),
    times: z.array(date).describe('When these entries were published, newest first.'),
    robots: robotsSchema.optional(),
  })
  .openapi('Site')

export type SiteShape = z.infer<typeof siteSchema>

export const delaysSchema = z
  .strictObject({
    since: date,
    count: countSchema.describe('Entries that came since then and have a date of publication.'),
    medianMs: z.number().optional(),
    nineTenthsMs: z.number().optional(),
    series: z
      .array(z.strictObject({ at: date, count: countSchema, medianMs: z.number().optional() }))
      .describe('Hour by hour, each by its beginning.'),
  })
  .openapi('Delays')

export type DelaysShape = z.infer<typeof delaysSchema>

const pointSchema = z.strictObject({
  pollsPerDay: z.number(),
  delayMs: z.number(),
  own: z.literal(true).optional().describe('As the strategy would do without a budget.'),
})

export const backtestSchema = z
  .strictObject({
    state: z.enum(['none', 'running', 'done', 'failed']),
    startedAt: date.optional(),
    done: countSchema.optional().describe('Pieces of work, of those that are known so far.'),
    of: countSchema.optional(),
    words: z.string().optional().describe('Why it failed.'),
    hint: z.string().optional(),
    feeds: countSchema.optional(),
    days: z.number().optional().describe('That count.'),
    today: z
      .strictObject({
        strategies: z.array(z.string()),
        pollsPerDay: z.number(),
        delayMs: z.number(),
        share: share.describe('Of polls that failed.'),
      })
      .optional()
      .describe('How it was.'),
    strategies: z
      .array(z.strictObject({ strategy: z.string(), points: z.array(pointSchema) }))
      .optional()
      .describe('Delay of an entry against polls a day.'),
    oracle: z.array(pointSchema).optional().describe('The least delay that any could have.'),
  })
  .openapi('Backtest')

export type BacktestShape = z.infer<typeof backtestSchema>

export const settingSchema = z
  .strictObject({
    name: z.string().describe('Its key in freshet.toml, and its flag.'),
    environment: z.string(),
    value: z.string(),
    usual: z.string().describe('What it is unless told.'),
    origin: z.enum(['default', 'freshet.toml', 'environment', 'flag']).optional(),
    sentence: z.string(),
  })
  .openapi('Setting')

export type SettingShape = z.infer<typeof settingSchema>
