/**
 * Writes the prepared records of a batch: small ones together, large ones alone and in chunks. What the store newly records is announced as
 * soon as it is committed, even if the rest of the batch fails.
 */
import type { Outcome } from '../../model/index.ts'
import type { RecordResult } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { isStoreError, type QuarantineOnFailure } from '../error-boundary.ts'
import { type ChunkWrites, chunksOf, type DailyLimit, isLarge, recordInChunks, weightOf } from './chunked-writes.ts'
import { addCounts, countsOf, NO_POLLS, type PollCounts } from './count-polls.ts'
import type { Policy } from './policy.ts'
import { eventsOf } from './poll-events.ts'
import type { PreparedRecord } from './prepare-records.ts'

export interface RecordWriterParts {
  writes: ChunkWrites
  dailyLimit: DailyLimit
  quarantineOnError: QuarantineOnFailure
  emit: (event: CrawlEvent) => void
}

export type WriteRecords = (records: PreparedRecord[], policy: Policy) => Promise<WriteResult>

/** The result of a batch: its counts, the records that the store newly recorded, and the outcomes to prepare again. */
export interface WriteResult {
  counts: PollCounts
  recorded: PreparedRecord[]
  stale: Outcome[]
}

type Settle = (prepared: PreparedRecord, answer: RecordResult | undefined) => void

export function createRecordWriter({ writes, dailyLimit, quarantineOnError, emit }: RecordWriterParts): WriteRecords {
  /** Writes small records first, together. */
  async function writeRecords(records: PreparedRecord[], policy: Policy): Promise<WriteResult> {
    const written: WriteResult = { counts: { ...NO_POLLS }, recorded: [], stale: [] }
    const pending = new Set(records)
    const settle = (prepared: PreparedRecord, answer: RecordResult | undefined) => {
      pending.delete(prepared)
      dailyLimit.release(prepared.news)
      if (answer === 'stale') written.stale.push(prepared.outcome)
      if (answer !== 'recorded') return
      written.recorded.push(prepared)
      addCounts(written.counts, countsOf(prepared, policy.terms(prepared.scheduled.feed)))
      for (const event of eventsOf(prepared.scheduled.feed, prepared)) emit(event)
    }
    try {
      const small = records.filter(({ record }) => !isLarge(record))
      for (const chunk of chunksOf(small, ({ record }) => weightOf(record))) await writeTogether(chunk, settle)
      await writeAlone(
        records.filter(({ record }) => isLarge(record)),
        settle,
      )
    } finally {
      for (const { news } of pending) dailyLimit.release(news)
    }
    return written
  }

  async function writeTogether(records: PreparedRecord[], settle: Settle): Promise<void> {
    let answers: RecordResult[]
    try {
      answers = await writes.committedWrites.recordPolls(records.map(({ record }) => record))
    } catch (error) {
      if (isStoreError(error)) throw error // it would reject each record alone, too
      return writeAlone(records, settle)
    }
    for (const [i, prepared] of records.entries()) settle(prepared, answers[i])
  }

  async function writeAlone(records: PreparedRecord[], settle: Settle): Promise<void> {
    for (const prepared of records)
      await quarantineOnError(prepared.outcome, `recording a poll of feed ${prepared.record.poll.feedId}`, async () => {
        settle(prepared, await recordInChunks(writes, prepared.record))
      })
  }

  return writeRecords
}
