/**
 * Events between processes of a fleet, as JSON. An error keeps its message and hint only. Received events are checked as far as listeners
 * rely on them.
 */
import { StoreError, type StoreErrorKind } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'

/** Messages that are broadcast in a fleet. `news`: there is work for the indexer. */
export type FleetMessage = { kind: 'event'; event: unknown } | { kind: 'news' }

export function eventToJson(event: CrawlEvent): unknown {
  return 'error' in event ? { ...event, error: errorToJson(event.error) } : event
}

export function eventFromJson(value: unknown): CrawlEvent | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { kind, at, error } = value as Record<string, unknown>
  if (typeof kind !== 'string' || typeof at !== 'number') return undefined
  const event = value as CrawlEvent
  if (event.kind === 'internal-error')
    return { ...event, doing: String(event.doing), error: new Error(errorFromJson(error).message) }
  if (event.kind !== 'store-unavailable') return event
  const { message, hint, trouble } = errorFromJson(error)
  return { ...event, error: new StoreError((trouble ?? 'no-access') as StoreErrorKind, message, hint) }
}

export function isFleetMessage(message: unknown): message is FleetMessage {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return false
  return message.kind === 'news' || (message.kind === 'event' && 'event' in message)
}

function errorToJson(error: unknown): { message: string; hint?: string; trouble?: string } {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof StoreError ? { message, hint: error.hint, trouble: error.kind } : { message }
}

function errorFromJson(error: unknown): { message: string; hint: string; trouble?: string } {
  const { message, hint, trouble } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return { message: text(message), hint: text(hint), ...(typeof trouble === 'string' && { trouble }) }
}
