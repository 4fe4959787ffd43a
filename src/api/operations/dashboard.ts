/** Operations of the dashboard: discovery preview, hosts, sites, arrival delays, backtests, settings. */
import { createRoute, z } from '@hono/zod-openapi'
import {
  answer,
  body,
  COMMON_ERRORS,
  CONFLICT,
  ERRORS_WITH_404,
  NO_CONTENT,
  READ_ERRORS,
  requiresScope,
  WRITE_ERRORS,
  WRITE_ERRORS_WITH_404,
} from '../operation.ts'
import {
  backtestSchema,
  delaysSchema,
  knownHostSchema,
  previewSchema,
  settingSchema,
  siteSchema,
} from '../schemas/dashboard.ts'
import { countSchema, shortText, wholeNumber } from '../schemas/values.ts'

export const previewFeeds = createRoute({
  operationId: 'previewFeeds',
  method: 'post',
  path: '/api/v1/preview',
  tags: ['feeds'],
  summary: 'Discover the feeds of an address, with their entries and ranking. Adds nothing',
  description:
    'Makes requests to the site one after another, which takes a few seconds. A few previews can run at once.',
  ...requiresScope('write'),
  request: {
    body: body(z.strictObject({ url: z.string().max(8192).describe('the address of a site or a feed') })),
  },
  responses: { 200: answer(previewSchema, 'The candidates.'), ...WRITE_ERRORS_WITH_404 },
})

export const listKnownHosts = createRoute({
  operationId: 'listKnownHosts',
  method: 'get',
  path: '/api/v1/hosts/known',
  tags: ['status'],
  summary: 'List hosts with learned gaps, incidents or a crawl delay',
  ...requiresScope('admin'),
  request: { query: z.strictObject({ text: shortText.optional(), limit: wholeNumber(1, 1000).optional() }) },
  responses: {
    200: answer(
      z.strictObject({ hosts: z.array(knownHostSchema), count: countSchema.describe('Total number.') }),
      'The hosts.',
    ),
    ...ERRORS_WITH_404,
  },
})

export const getSite = createRoute({
  operationId: 'getSite',
  method: 'get',
  path: '/api/v1/sites/{host}',
  tags: ['status'],
  summary: 'Get a site: its feeds, publishing hours, and copies from and to other sites',
  ...requiresScope('read'),
  request: { params: z.object({ host: z.string().max(300).describe('a host, such as news.example') }) },
  responses: { 200: answer(siteSchema, 'The site.'), ...ERRORS_WITH_404 },
})

export const getDelays = createRoute({
  operationId: 'getDelays',
  method: 'get',
  path: '/api/v1/statistics/delays',
  tags: ['status'],
  summary: 'Get the arrival delays of the last day',
  ...requiresScope('read'),
  responses: { 200: answer(delaysSchema, 'The delays.'), ...COMMON_ERRORS },
})

export const getBacktest = createRoute({
  operationId: 'getBacktest',
  method: 'get',
  path: '/api/v1/lab/backtest',
  tags: ['lab'],
  summary: 'Get the progress or the result of the replay',
  ...requiresScope('admin'),
  responses: { 200: answer(backtestSchema, 'The replay.'), ...COMMON_ERRORS },
})

export const startBacktest = createRoute({
  operationId: 'startBacktest',
  method: 'post',
  path: '/api/v1/lab/backtest',
  tags: ['lab'],
  summary: 'Start a replay of your feeds with other strategies',
  ...requiresScope('admin'),
  request: {
    body: body(
      z.strictObject({
        strategies: z.string().max(1000).default('all').describe('names, comma-separated, or all'),
        lastDays: z.int().min(1).max(3660).default(90).describe('how many days of the past, from 1 to 3660'),
      }),
    ),
  },
  responses: { 202: answer(backtestSchema, 'The replay was started.'), ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const stopBacktest = createRoute({
  operationId: 'stopBacktest',
  method: 'delete',
  path: '/api/v1/lab/backtest',
  tags: ['lab'],
  summary: 'Stop the replay and discard its result',
  ...requiresScope('admin'),
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS },
})

export const switchStrategy = createRoute({
  operationId: 'switchStrategy',
  method: 'put',
  path: '/api/v1/lab/strategy',
  tags: ['lab'],
  summary: 'Set the strategy of all feeds',
  ...requiresScope('admin'),
  request: { body: body(z.strictObject({ strategy: z.string().max(200).describe('the name of a strategy') })) },
  responses: {
    200: answer(
      z.strictObject({ feeds: countSchema, changed: countSchema }),
      'The number of feeds, and of changed feeds.',
    ),
    ...WRITE_ERRORS,
  },
})

export const listSettings = createRoute({
  operationId: 'listSettings',
  method: 'get',
  path: '/api/v1/settings',
  tags: ['status'],
  summary: 'List settings with their values and sources',
  ...requiresScope('admin'),
  responses: { 200: answer(z.strictObject({ settings: z.array(settingSchema) }), 'The settings.'), ...READ_ERRORS },
})
