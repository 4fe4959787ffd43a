/** Data of the dashboard beyond feeds, polls and statistics: candidates, hosts, sites, delays, backtests, settings. */
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
    format: z.enum(['rss', 'atom', 'rdf', 'json', 'cdf', 'sitemap']),
    score: z.number().describe('How well it matches the request. Higher is better.'),
    why: z.array(z.string()).describe('What increased or decreased the score.'),
    sameListAs: z.string().optional().describe('Another candidate with the same entries.'),
    feedId: id.optional().describe('The feed, if it is already polled.'),
    perDay: z.number().optional().describe('Entries per day, by their dates.'),
    entries: z
      .array(z.strictObject({ title: z.string(), url: z.string().optional(), publishedAt: date.optional() }))
      .describe('The first few entries.'),
    size: countSchema.describe('Number of entries.'),
  })
  .openapi('Candidate')

export type CandidateShape = z.infer<typeof candidateSchema>

export const previewSchema = z
  .strictObject({
    candidates: z.array(candidateSchema).describe('Best first.'),
    requests: z
      .array(z.strictObject({ url: z.string(), via: z.string(), words: z.string() }))
      .describe('All requested addresses, and the results.'),
    trouble: troubleSchema.optional().describe('Why no feed was found.'),
    hint: z.string().optional(),
  })
  .openapi('Preview')

export type PreviewShape = z.infer<typeof previewSchema>

const robotsSchema = z.strictObject({
  origin: z.string(),
  found: z.enum(['read', 'none', 'unreachable']),
  rules: countSchema.describe('Number of rules that apply to Freshet.'),
  crawlDelayMs: z.number().optional(),
  fetchedAt: date,
})

export const knownHostSchema = z
  .strictObject({
    root: z.string(),
    backingOffUntil: date.optional().describe('No requests are made before then.'),
    strikes: countSchema.describe('Consecutive requests to slow down.'),
    trouble: troubleSchema.optional(),
    gapFactor: z.number().optional().describe('Learned gap between requests, as a multiple of the default gap.'),
    crawlDelay: z.strictObject({ ms: z.number(), origin: z.string(), until: date }).optional(),
    incident: z
      .strictObject({ state: z.enum(['incident', 'recovering']), sign: z.string(), since: date, canaries: countSchema })
      .optional()
      .describe('Its feeds fail in the same way, so the host is at fault.'),
  })
  .openapi('KnownHost')

export type KnownHostShape = z.infer<typeof knownHostSchema>

const betweenSchema = z.strictObject({ feedId: id, feedTitle: z.string(), count: countSchema })

export const siteSchema = z
  .strictObject({
    host: z.string(),
    feeds: z.array(feedSchema),
    more: z.boolean().describe('There are more feeds than listed.'),
    examined: countSchema.describe('Number of its newest entries that were examined for the following.'),
    withoutCopies: countSchema.describe('Examined entries without copies elsewhere.'),
    copiedBy: z.array(betweenSchema).describe('Feeds that copy its entries, most copies first.'),
    copies: z.array(betweenSchema).describe('Feeds it copies from, most copies first.'),
    times: z.array(date).describe('Publication dates of these entries, newest first.'),
    robots: robotsSchema.optional(),
  })
  .openapi('Site')

export type SiteShape = z.infer<typeof siteSchema>

export const delaysSchema = z
  .strictObject({
    since: date,
    count: countSchema.describe('Entries that arrived since then and have a publication date.'),
    medianMs: z.number().optional(),
    p90Ms: z.number().optional(),
    series: z
      .array(z.strictObject({ at: date, count: countSchema, medianMs: z.number().optional() }))
      .describe('By hour; `at` is the start of the hour.'),
  })
  .openapi('Delays')

export type DelaysShape = z.infer<typeof delaysSchema>

const pointSchema = z.strictObject({
  pollsPerDay: z.number(),
  delayMs: z.number(),
  own: z.literal(true).optional().describe('The strategy without a budget.'),
})

export const backtestSchema = z
  .strictObject({
    state: z.enum(['none', 'running', 'done', 'failed']),
    startedAt: date.optional(),
    done: countSchema.optional().describe('Completed steps of the steps known so far.'),
    of: countSchema.optional(),
    words: z.string().optional().describe('Why it failed.'),
    hint: z.string().optional(),
    feeds: countSchema.optional(),
    days: z.number().optional().describe('Days that were evaluated.'),
    today: z
      .strictObject({
        strategies: z.array(z.string()),
        pollsPerDay: z.number(),
        delayMs: z.number(),
        share: share.describe('Share of failed polls.'),
      })
      .optional()
      .describe('The actual crawl.'),
    strategies: z
      .array(z.strictObject({ strategy: z.string(), points: z.array(pointSchema) }))
      .optional()
      .describe('Mean delay of an entry by polls per day.'),
    oracle: z.array(pointSchema).optional().describe('The lowest possible delay.'),
  })
  .openapi('Backtest')

export type BacktestShape = z.infer<typeof backtestSchema>

export const settingSchema = z
  .strictObject({
    name: z.string().describe('Its key in freshet.toml, and its flag.'),
    environment: z.string(),
    value: z.string(),
    usual: z.string().describe('The default.'),
    origin: z.enum(['default', 'freshet.toml', 'environment', 'flag']).optional(),
    sentence: z.string(),
  })
  .openapi('Setting')

export type SettingShape = z.infer<typeof settingSchema>
