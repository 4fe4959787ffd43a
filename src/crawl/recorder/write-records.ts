/**
 * Writes what was worked out of a batch of polls: small records together, large ones alone and in chunks. What the store took and had not had
 * before is announced as soon as it is committed, whatever becomes of the rest.
 */
import type { Outcome } from '../../model/index.ts'
import type { Recorded } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { isOfStore, type OrQuarantine } from '../error-boundary.ts'
import { type DayBound, isMany, type PortionWrites, portionsOf, recordInPortions, weightOf } from './chunked-writes.ts'
import { add, countedOf, NOTHING_COUNTED, type PollsCounted } from './count-polls.ts'
import type { Policy } from './policy.ts'
import { eventsOf } from './poll-events.ts'
import type { Ready } from './prepare-records.ts'

export interface RecordWriterParts {
  writes: PortionWrites
  day: DayBound
  orAside: OrQuarantine
  emit: (event: CrawlEvent) => void
}

export type WriteRecords = (ready: Ready[], policy: Policy) => Promise<Written>

/** What became of a batch: what its polls counted for, which were taken, and which have to be thought about again. */
export interface Written {
  counted: PollsCounted
  taken: Ready[]
  stale: Outcome[]
}

type Settle = (one: Ready, answer: Recorded | undefined) => void

export function createRecordWriter({ writes, day, orAside, emit }: RecordWriterParts): WriteRecords {
  /** Those that the store took and had not had before, and what has to be thought about again: first all that are small, together. */
  async function writeRecords(ready: Ready[], policy: Policy): Promise<Written> {
    const written: Written = { counted: { ...NOTHING_COUNTED }, taken: [], stale: [] }
    const onTheirWay = new Set(ready)
    const settle = (one: Ready, answer: Recorded | undefined) => {
      onTheirWay.delete(one)
      day.written(one.news)
      if (answer === 'stale') written.stale.push(one.outcome)
      if (answer !== 'recorded') return
      written.taken.push(one)
      add(written.counted, countedOf(one, policy.terms(one.held.feed)))
      for (const event of eventsOf(one.held.feed, one)) emit(event)
    }
    try {
      const few = ready.filter(({ record }) => !isMany(record))
      for (const portion of portionsOf(few, ({ record }) => weightOf(record))) await recordedTogether(portion, settle)
      await recordedAlone(
        ready.filter(({ record }) => isMany(record)),
        settle,
      )
    } finally {
      for (const { news } of onTheirWay) day.written(news)
    }
    return written
  }

  async function recordedTogether(ready: Ready[], settle: Settle): Promise<void> {
    let answers: Recorded[]
    try {
      answers = await writes.committed.polls(ready.map(({ record }) => record))
    } catch (error) {
      if (isOfStore(error)) throw error // it would refuse each of them alone as well
      return recordedAlone(ready, settle)
    }
    for (const [i, one] of ready.entries()) settle(one, answers[i])
  }

  async function recordedAlone(ready: Ready[], settle: Settle): Promise<void> {
    for (const one of ready)
      await orAside(one.outcome, `recording a poll of feed ${one.record.poll.feedId}`, async () => {
        settle(one, await recordInPortions(writes, one.record))
      })
  }

  return writeRecords
}
