/** Status of crawl, store and hosts, and statistics. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, COMMON_ERRORS, READ_ERRORS, requiresScope } from '../operation.ts'
import { statisticsSchema } from '../schemas/statistics.ts'
import { diskUsageSchema, hostSchema, statusSchema } from '../schemas/status.ts'
import { countSchema, dateParam, wholeNumber } from '../schemas/values.ts'

export const getStatus = createRoute({
  operationId: 'getStatus',
  method: 'get',
  path: '/api/v1/status',
  tags: ['status'],
  summary: 'Get the status of the crawl',
  ...requiresScope('read'),
  responses: { 200: answer(statusSchema, 'The status.'), ...COMMON_ERRORS },
})

export const getDiskUsage = createRoute({
  operationId: 'getDiskUsage',
  method: 'get',
  path: '/api/v1/status/disk-usage',
  tags: ['status'],
  summary: 'Get disk usage. Scans the whole store',
  ...requiresScope('read'),
  responses: { 200: answer(diskUsageSchema, 'Sizes by kind of data.'), ...COMMON_ERRORS },
})

export const listHosts = createRoute({
  operationId: 'listHosts',
  method: 'get',
  path: '/api/v1/hosts',
  tags: ['status'],
  summary: 'List hosts that are backing off, next one first',
  ...requiresScope('admin'),
  request: { query: z.strictObject({ limit: wholeNumber(1, 1000).optional() }) },
  responses: {
    200: answer(
      z.strictObject({ hosts: z.array(hostSchema), count: countSchema.describe('Total number.') }),
      'The hosts.',
    ),
    ...READ_ERRORS,
  },
})

export const getStatistics = createRoute({
  operationId: 'getStatistics',
  method: 'get',
  path: '/api/v1/statistics',
  tags: ['status'],
  summary: 'Get entries and copies by feed and hour since a date (default: a week ago)',
  ...requiresScope('read'),
  request: { query: z.strictObject({ since: dateParam.optional() }) },
  responses: { 200: answer(statisticsSchema, 'The statistics.'), ...READ_ERRORS },
})
