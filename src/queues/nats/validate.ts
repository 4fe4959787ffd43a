/**
 * Validates received tasks and outcomes as far as the crawl depends on them. A fetcher may have another version, be
 * broken, or belong to another fleet; the contents of a document are checked where it is recorded.
 */
import type { Outcome, OutcomeResult, Task } from '../../model/index.ts'

type Fields = Record<string, unknown>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
const isOptional = (value: unknown, check: (value: unknown) => boolean) => value === undefined || check(value)

const TASKS: Record<Task['kind'], (task: Fields) => boolean> = {
  poll: ({ feedId, validators, gapMs }) => isCount(feedId) && isObject(validators) && isCount(gapMs),
  'moved-feed': ({ feedId, not, gapMs }) => isCount(feedId) && isText(not) && isCount(gapMs),
  discover: ({ sourceId, gapMs }) => isCount(sourceId) && isCount(gapMs),
  hub: ({ token, topic, callback }) => isText(token) && isText(topic) && isText(callback),
  article: ({ articleId, gapMs }) => isCount(articleId) && isCount(gapMs),
}

export function isTask(value: unknown): value is Task {
  if (!isObject(value) || !isText(value.kind) || !Object.hasOwn(TASKS, value.kind)) return false
  const { url, lease, bucket, departedAt, goodForMs } = value
  if (!isText(url) || !/^https?:\/\//.test(url) || !isOptional(lease, isText)) return false
  if (![bucket, departedAt, goodForMs].every((field) => isOptional(field, isCount))) return false
  return TASKS[value.kind as Task['kind']](value)
}

function isReading(value: unknown): boolean {
  if (!isObject(value)) return false
  const { facts, entries, validators, bodyHash, windowHash, restMs } = value
  const isEntry = (entry: unknown) => isObject(entry) && isText(entry.key)
  const isWindow = Array.isArray(entries) && entries.every(isEntry)
  return (
    isObject(facts) && isWindow && isObject(validators) && isText(bodyHash) && isText(windowHash) && isCount(restMs)
  )
}

function isPage(value: unknown): boolean {
  return (
    isObject(value) && isText(value.url) && isObject(value.facts) && isCount(value.status) && isObject(value.headers)
  )
}

const RESULTS: Record<OutcomeResult['kind'] | 'packed-page', (result: Fields) => boolean> = {
  window: ({ reading }) => isReading(reading),
  'not-modified': ({ by, restMs }) => isText(by) && isCount(restMs),
  found: ({ url, reading, others }) =>
    isText(url) && isReading(reading) && Array.isArray(others) && others.every(isText),
  accepted: () => true,
  unsent: () => true,
  page: ({ reading }) => isPage(reading),
  'packed-page': ({ reading }) => isPage(reading) && isText((reading as Fields).packedBody),
  elsewhere: ({ ends }) => Array.isArray(ends) && ends.every(isText),
  'page-elsewhere': ({ to }) => isText(to),
  failed: ({ failure }) => isObject(failure) && isText(failure.kind),
}

/** In transport format: the body of a page may still be compressed. */
export function isTransportOutcome(value: unknown): value is Outcome {
  if (!isObject(value) || !isTask(value.task) || !isObject(value.result)) return false
  const { at, tookMs, bytes, robots, misses, result } = value
  if (typeof at !== 'number' || !isCount(tookMs) || !isCount(bytes)) return false
  if (!isOptional(robots, Array.isArray) || !isOptional(misses, Array.isArray)) return false
  const { kind } = result
  return isText(kind) && Object.hasOwn(RESULTS, kind) && RESULTS[kind as keyof typeof RESULTS](result)
}
