/** What a client of Miniflux asks for in a list of entries. Invalid values are refused, or ignored where Miniflux ignores them. */
import { type EntryId, type Instant, SECOND } from '../../../model/index.ts'
import { Problem } from '../../problem.ts'
import { type Form, wholeField } from '../form.ts'

export const MAX_LIMIT = 1000
const DEFAULT_LIMIT = 100
const MAX_OFFSET = 50_000
const MAX_TAGS = 20

const ORDERS = [
  'id',
  'status',
  'changed_at',
  'published_at',
  'created_at',
  'category_title',
  'category_id',
  'title',
  'author',
] as const

export type EntryOrder = (typeof ORDERS)[number]

export interface MinifluxEntryQuery {
  read?: boolean
  starred?: boolean
  /** Exclusive. */
  afterId?: EntryId
  beforeId?: EntryId
  /** The date shown as `published_at`, inclusive. */
  since?: Instant
  until?: Instant
  /** The date shown as `changed_at`, inclusive. */
  changedSince?: Instant
  changedUntil?: Instant
  /** In lower case; an entry has all of them. */
  tags: string[]
  search?: string
  order: EntryOrder
  isAscending: boolean
  limit: number
  offset: number
}

export function entryQueryIn(form: Form): MinifluxEntryQuery {
  const search = form.get('search')?.trim()
  const [afterId, beforeId] = [positive(form, 'after_entry_id'), positive(form, 'before_entry_id')]
  const since = latest(form, ['after', 'published_after'])
  const until = earliest(form, ['before', 'published_before'])
  const changedSince = latest(form, ['changed_after'])
  const changedUntil = earliest(form, ['changed_before'])
  const limit = wholeField(form, 'limit', DEFAULT_LIMIT, Number.MAX_SAFE_INTEGER)
  if (limit > MAX_LIMIT) throw new Problem(400, 'invalid limit', `send at most ${MAX_LIMIT}`)
  const offset = wholeField(form, 'offset', 0, Number.MAX_SAFE_INTEGER)
  if (offset > MAX_OFFSET)
    throw new Problem(400, 'invalid offset', `send at most ${MAX_OFFSET}, and go on by after_entry_id`)
  return {
    ...readIn(form),
    ...starredIn(form),
    ...(afterId !== undefined && { afterId: afterId as EntryId }),
    ...(beforeId !== undefined && { beforeId: beforeId as EntryId }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(changedSince !== undefined && { changedSince }),
    ...(changedUntil !== undefined && { changedUntil }),
    ...(search && { search }),
    tags: listOf(form, 'tags')
      .slice(0, MAX_TAGS)
      .map((tag) => tag.toLowerCase()),
    order: oneOf(form, 'order', ORDERS, 'published_at'),
    isAscending: oneOf(form, 'direction', ['asc', 'desc'] as const, 'asc') === 'asc',
    limit: limit || MAX_LIMIT,
    offset,
  }
}

/** No status, or both: entries with any status. */
export function readIn(form: Form): { read?: boolean } {
  const statuses = new Set(
    listOf(form, 'status').map((status) => checked('status', status, ['read', 'unread'] as const)),
  )
  return statuses.size === 1 ? { read: statuses.has('read') } : {}
}

/** As Go reads booleans; Python's client sends them capitalized. Anything else is ignored. */
export function starredIn(form: Form): { starred?: boolean } {
  const text = form.get('starred') ?? ''
  if (/^(1|t|T|true|True|TRUE)$/.test(text)) return { starred: true }
  return /^(0|f|F|false|False|FALSE)$/.test(text) ? { starred: false } : {}
}

function listOf(form: Form, name: string): string[] {
  return form
    .all(name)
    .map((value) => value.trim())
    .filter(Boolean)
}

function oneOf<Value extends string>(form: Form, name: string, values: readonly Value[], defaultValue: Value): Value {
  return checked(name, form.get(name) || defaultValue, values)
}

function checked<Value extends string>(name: string, text: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === text)
  if (found === undefined) throw new Problem(400, `invalid ${name}`, `send ${values.join(', ')}`)
  return found
}

function positive(form: Form, name: string): number | undefined {
  return wholeField(form, name, 0, Number.MAX_SAFE_INTEGER) || undefined
}

/** Dates are in whole seconds, and exclusive. */
function latest(form: Form, names: string[]): Instant | undefined {
  const dates = names.flatMap((name) => positive(form, name) ?? [])
  return dates.length > 0 ? Math.max(...dates) * SECOND + 1 : undefined
}

function earliest(form: Form, names: string[]): Instant | undefined {
  const dates = names.flatMap((name) => positive(form, name) ?? [])
  return dates.length > 0 ? Math.min(...dates) * SECOND - 1 : undefined
}
