/**
 * What happens in one process, told in another: events as plain JSON. An error loses what cannot travel, and keeps its words. What
 * comes is checked as far as those who listen would stumble over it.
 */
import { StoreError, type StoreTrouble } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'

/** What the processes of a fleet tell each other. */
export type FleetNews = { kind: 'event'; event: unknown } | { kind: 'news' }

export function eventToJson(event: CrawlEvent): unknown {
  return 'error' in event ? { ...event, error: wordsOf(event.error) } : event
}

export function eventFromJson(told: unknown): CrawlEvent | undefined {
  if (typeof told !== 'object' || told === null) return undefined
  const { kind, at, error } = told as Record<string, unknown>
  if (typeof kind !== 'string' || typeof at !== 'number') return undefined
  const event = told as CrawlEvent
  if (event.kind === 'mistake')
    return { ...event, doing: String(event.doing), error: new Error(wordsIn(error).message) }
  if (event.kind !== 'store-refuses') return event
  const { message, hint, trouble } = wordsIn(error)
  return { ...event, error: new StoreError((trouble ?? 'no-access') as StoreTrouble, message, hint) }
}

export function isFleetNews(what: unknown): what is FleetNews {
  if (typeof what !== 'object' || what === null || !('kind' in what)) return false
  return what.kind === 'news' || (what.kind === 'event' && 'event' in what)
}

function wordsOf(error: unknown): { message: string; hint?: string; trouble?: string } {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof StoreError ? { message, hint: error.hint, trouble: error.trouble } : { message }
}

function wordsIn(error: unknown): { message: string; hint: string; trouble?: string } {
  const { message, hint, trouble } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return { message: text(message), hint: text(hint), ...(typeof trouble === 'string' && { trouble }) }
}
