/** How a feed is fetched and read, as input and as returned: secret values are only sent, never returned. */
import { z } from '@hono/zod-openapi'
import { FETCH_SETTING_LIMITS } from '../../model/index.ts'
import { countSchema, id } from './values.ts'

const MOST = FETCH_SETTING_LIMITS

const textOrNull = (max: number) =>
  z
    .string()
    .max(max)
    .nullable()
    .optional()
    .describe(`a text of at most ${max.toLocaleString('en')} characters, or null to remove it`)

const selector = textOrNull(MOST.selector)

const rewriteSchema = z
  .strictObject({
    part: z.enum(['title', 'link']),
    find: z.string().min(1).max(MOST.find).describe('A regular expression (RE2).'),
    replace: z.string().max(MOST.replace).describe('$1 is the first group.'),
  })
  .openapi('Rewrite')

/** Absent fields do not change; null removes. */
export const fetchSettingsInput = z
  .strictObject({
    userAgent: textOrNull(MOST.userAgent),
    headers: z
      .record(z.string().max(MOST.headerName), z.string().max(MOST.headerValue).nullable())
      .optional()
      .describe('an object of header names and values; null removes a header'),
    cookies: textOrNull(MOST.cookies),
    proxy: textOrNull(MOST.address),
    acceptsInvalidCertificate: z.boolean().optional(),
    ignoresValidators: z.boolean().optional(),
    bridge: textOrNull(MOST.address),
    content: selector,
    remove: selector,
    rewrites: z
      .array(rewriteSchema)
      .max(MOST.rewrites)
      .optional()
      .describe(`a list of at most ${MOST.rewrites} objects with part ("title" or "link"), find and replace`),
  })
  .openapi('FetchSettingsChange')

export type FetchSettingsInput = z.infer<typeof fetchSettingsInput>

export const fetchSettingsSchema = z
  .strictObject({
    userAgent: z.string().optional(),
    headers: z.array(z.string()).optional().describe('Names of additional request headers. Values are never returned.'),
    hasCookies: z.literal(true).optional(),
    proxy: z.string().optional().describe('Without its user name and password.'),
    hasProxyLogin: z.literal(true).optional(),
    acceptsInvalidCertificate: z.literal(true).optional(),
    ignoresValidators: z.literal(true).optional(),
    bridge: z.string().optional().describe('An address with {url}, secret parts redacted.'),
    content: z.string().optional().describe('Selector of the text on pages of its entries.'),
    remove: z.string().optional().describe('Selector of elements that are removed.'),
    rewrites: z.array(rewriteSchema).optional(),
  })
  .openapi('FetchSettings')

export type FetchSettingsShape = z.infer<typeof fetchSettingsSchema>

export const extractionPreviewInput = z.strictObject({ content: selector, remove: selector, entry: id.optional() })

export const extractionPreviewSchema = z
  .strictObject({
    entryId: id,
    url: z.string(),
    title: z.string(),
    html: z.string().describe('Sanitized.'),
    words: countSchema,
    wordsWithoutRules: countSchema,
    matches: z.strictObject({ content: countSchema, remove: countSchema }).describe('Matching elements.'),
  })
  .openapi('ExtractionPreview')

export type ExtractionPreviewShape = z.infer<typeof extractionPreviewSchema>
