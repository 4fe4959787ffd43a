/** Services to which users send entries, and the jobs that do it. */
import type { EntryId } from './feed.ts'
import type { Instant } from './time.ts'

/** A service of a user: a preset and the values of its fields. */
export interface Destination {
  readonly id: string
  name: string
  /** Id of the preset. */
  preset: string
  /** Values of fields that are not secret. */
  fields: Record<string, string>
  /** Values of secret fields, encrypted in the store. Undefined if they cannot be decrypted. */
  secrets: Record<string, string> | undefined
  addedAt: Instant
}

/** Result of one try: the status of the response, or why there was none. */
export interface SendAttempt {
  at: Instant
  status?: number
  trouble?: string
  /** Trying again is useless until somebody changes something. */
  isFinal?: true
}

/** An entry on its way to a destination. One per entry and destination. */
export interface SendJob {
  /** Sent along where a service ignores what it has received before. */
  readonly id: string
  destinationId: string
  entryId: EntryId
  /** waiting: for its next try. failed: given up. */
  state: 'waiting' | 'sent' | 'failed'
  queuedAt: Instant
  /** When to try next. */
  dueAt: Instant
  failures: number
  last?: SendAttempt
}
