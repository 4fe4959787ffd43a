/**
 * That there are new entries, said to all processes on the store (NOTIFY), so that whoever listens to a stream hears of them, whichever
 * process wrote them. It is said after they are written, some at once, and not by the transaction that writes them: PostgreSQL lets
 * transactions that say something commit one by one. Whoever hears it reads on behind the last entry that he has; so
 * nothing is lost with a word that is: the next brings it along, and now and then one looks without being told, as where
 * a pgbouncer keeps such words to itself.
 */
import type { Client } from 'pg'
import type { Ledger } from '../../ports/index.ts'
import type { PostgresSession } from './session.ts'

const CHANNEL = 'freshet_entries'
/** Those that come within it are told together. */
const GATHER_MS = 50
const AGAIN_AFTER_MS = 1000
const LOOK_EVERY_MS = 10_000

export interface EntryNews {
  /** There are some; others are told soon. */
  tell(): void
  /** Called when there may be some, until the answer is called. */
  onNews(heard: () => void): () => void
  close(): Promise<void>
}

export function createNews(session: PostgresSession, connect: () => Promise<Client>): EntryNews {
  const listeners = new Set<() => void>()
  let telling: NodeJS.Timeout | undefined
  let looking: NodeJS.Timeout | undefined
  let ear: Ear | undefined

  const heard = () => {
    for (const listener of listeners) listener()
  }

  function begin(): void {
    ear = listen(connect, heard)
    looking = setInterval(heard, LOOK_EVERY_MS).unref()
  }

  async function end(): Promise<void> {
    clearInterval(looking)
    const old = ear
    ear = undefined
    await old?.stop()
  }

  return {
    tell() {
      telling ??= setTimeout(() => {
        telling = undefined
        session.rows(`SELECT pg_notify('${CHANNEL}', settled_entry_id()::text)`).catch(() => {}) // who listens looks by himself
      }, GATHER_MS).unref()
    },

    onNews(listener) {
      const mine = () => listener()
      listeners.add(mine)
      if (listeners.size === 1) begin()
      return () => {
        if (listeners.delete(mine) && listeners.size === 0) void end()
      }
    },

    async close() {
      clearTimeout(telling)
      listeners.clear()
      await end()
    },
  }
}

interface Ear {
  stop(): Promise<void>
}

/** A connection of its own, and another whenever that is lost. */
function listen(connect: () => Promise<Client>, heard: () => void): Ear {
  let isOver = false
  let client: Client | undefined
  let waiting: NodeJS.Timeout | undefined

  async function begin(): Promise<void> {
    try {
      const mine = await connect()
      if (isOver) return await mine.end()
      client = mine
      mine.on('notification', heard)
      mine.on('error', () => {})
      mine.on('end', again)
      await mine.query(`LISTEN ${CHANNEL}`)
      heard() // something may have been said meanwhile
    } catch {
      again()
    }
  }

  function again(): void {
    client?.removeAllListeners('end')
    if (!isOver) waiting = setTimeout(() => void begin(), AGAIN_AFTER_MS).unref()
  }

  const beginning = begin()
  return {
    async stop() {
      isOver = true
      clearTimeout(waiting)
      await beginning
      await client?.end().catch(() => {})
    },
  }
}

type Bringing = Pick<Ledger, 'recordPolls' | 'recordNews' | 'sourceFound'>

/** The methods by which entries come, and after which others are told of them. */
export function tellingNews(ledger: Bringing, { tell }: Pick<EntryNews, 'tell'>): Bringing {
  return {
    async recordPolls(records) {
      const answers = await ledger.recordPolls(records)
      if (records.some(({ fresh }, i) => fresh.length > 0 && answers[i] === 'recorded')) tell()
      return answers
    },
    async recordNews(records) {
      await ledger.recordNews(records)
      if (records.some(({ fresh }) => fresh.length > 0)) tell()
    },
    async sourceFound(id, feed, record, others) {
      const answer = await ledger.sourceFound(id, feed, record, others)
      if (answer?.added && record.fresh.length > 0) tell()
      return answer
    },
  }
}
