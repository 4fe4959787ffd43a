/**
 * Notifies all processes on the store of new entries (LISTEN/NOTIFY), so that event streams show them, whichever process wrote them.
 * Notifications are sent after the entries are written, batched, and not by the writing transaction: PostgreSQL serializes the commits of
 * transactions that notify. Listeners continue reading after the last entry that they have, so a lost notification loses nothing: the
 * next one covers it, and listeners also poll, because a pgbouncer does not forward notifications.
 */
import type { Client } from 'pg'
import type { PollResults } from '../../ports/index.ts'
import type { PostgresSession } from './session.ts'

const CHANNEL = 'freshet_entries'
/** New entries within this time lead to one notification. */
const BATCH_MS = 50
const RECONNECT_MS = 1000
const POLL_MS = 10_000

export interface EntryNotifications {
  /** Notifies other processes of new entries, soon. */
  notify(): void
  /** Calls the listener when there may be new entries. Returns a function that ends that. */
  onNewEntries(callListeners: () => void): () => void
  close(): Promise<void>
}

export function createEntryNotifications(session: PostgresSession, connect: () => Promise<Client>): EntryNotifications {
  const listeners = new Set<() => void>()
  let notifyTimer: NodeJS.Timeout | undefined
  let pollTimer: NodeJS.Timeout | undefined
  let connection: Listener | undefined

  const callListeners = () => {
    for (const listener of listeners) listener()
  }

  function begin(): void {
    connection = listen(connect, callListeners)
    pollTimer = setInterval(callListeners, POLL_MS).unref()
  }

  async function end(): Promise<void> {
    clearInterval(pollTimer)
    const old = connection
    connection = undefined
    await old?.stop()
  }

  return {
    notify() {
      notifyTimer ??= setTimeout(() => {
        notifyTimer = undefined
        session.rows(`SELECT pg_notify('${CHANNEL}', settled_entry_id()::text)`).catch(() => {}) // listeners also poll
      }, BATCH_MS).unref()
    },

    onNewEntries(listener) {
      const wrapped = () => listener()
      listeners.add(wrapped)
      if (listeners.size === 1) begin()
      return () => {
        if (listeners.delete(wrapped) && listeners.size === 0) void end()
      }
    },

    async close() {
      clearTimeout(notifyTimer)
      listeners.clear()
      await end()
    },
  }
}

interface Listener {
  stop(): Promise<void>
}

/** Listens on a separate connection, and reconnects if it is lost. */
function listen(connect: () => Promise<Client>, callListeners: () => void): Listener {
  let isStopped = false
  let client: Client | undefined
  let reconnectTimer: NodeJS.Timeout | undefined

  async function begin(): Promise<void> {
    try {
      const wrapped = await connect()
      if (isStopped) return await wrapped.end()
      client = wrapped
      wrapped.on('notification', callListeners)
      wrapped.on('error', () => {})
      wrapped.on('end', reconnect)
      await wrapped.query(`LISTEN ${CHANNEL}`)
      callListeners() // a notification may have been missed
    } catch {
      reconnect()
    }
  }

  function reconnect(): void {
    client?.removeAllListeners('end')
    if (!isStopped) reconnectTimer = setTimeout(() => void begin(), RECONNECT_MS).unref()
  }

  const beginning = begin()
  return {
    async stop() {
      isStopped = true
      clearTimeout(reconnectTimer)
      await beginning
      await client?.end().catch(() => {})
    },
  }
}

type EntryWriters = Pick<PollResults, 'recordPolls' | 'recordEntries' | 'recordSourceFound'>

/** Wraps the methods that write new entries, so that they notify other processes. */
export function notifyingMethods(
  pollResults: EntryWriters,
  { notify }: Pick<EntryNotifications, 'notify'>,
): EntryWriters {
  return {
    async recordPolls(records) {
      const answers = await pollResults.recordPolls(records)
      if (records.some(({ fresh }, i) => fresh.length > 0 && answers[i] === 'recorded')) notify()
      return answers
    },
    async recordEntries(records) {
      await pollResults.recordEntries(records)
      if (records.some(({ fresh }) => fresh.length > 0)) notify()
    },
    async recordSourceFound(id, feed, record, others) {
      const answer = await pollResults.recordSourceFound(id, feed, record, others)
      if (answer?.added && record.fresh.length > 0) notify()
      return answer
    },
  }
}
