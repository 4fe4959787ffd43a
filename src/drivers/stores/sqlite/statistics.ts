/**
 * What was said since some date, and how much of it before. Gone through in pieces, each found by its last row and then
 * counted by SQLite itself; between two others get their turn, so that nobody waits for all of it.
 */

import type {
  FeedId,
  FeedScope,
  FoundBy,
  FragmentHabit,
  Instant,
  PersonId,
  Reach,
  Statistics,
} from '../../../model/index.ts'
import type { GroupCatalogue, Ledger } from '../../../ports/index.ts'
import { afterSql, type ByDate } from '../sql/by-date.ts'
import { hasTwoWithin, isKept, isRepeated, isRepeatedWithin, isWithin } from '../sql/conditions.ts'
import { levelColumn } from '../sql/group-rows.ts'
import { FAILED } from '../sql/poll-codes.ts'
import type { PollRow } from '../sql/poll-rows.ts'
import {
  createEntryHours,
  createStatisticsSums,
  largestFirst,
  type PolledRow,
  type SaidRow,
} from '../sql/statistics-sums.ts'
import { createOpenRuns } from './open-runs.ts'
import type { SqliteSession } from './session.ts'

/** Rows that are counted in one transaction: a longer one would keep the log from being moved into the file. */
const CHUNK = 5000

/** A row's place in the order of dates; the last is after everything. */
interface Place {
  at: Instant
  place: number
}
const END: Place = { at: Number.MAX_SAFE_INTEGER, place: Number.MAX_SAFE_INTEGER }

interface Walked extends Omit<ByDate, 'columns'> {
  counted?: string
}

/** Parameters of `only`. */
interface Given {
  feed?: FeedId
  person?: PersonId
}

export function statisticsQueries(
  session: SqliteSession,
): Pick<GroupCatalogue, 'statistics' | 'entriesByHour'> & Pick<Ledger, 'recordRun'> {
  const { db } = session
  /** What is counted, of all feeds or within a reach. */
  function walkersOf(reach?: Reach) {
    const isSeen = (feedId: string) => (reach ? ` AND ${isWithin(reach, feedId, '$person')}` : '')
    const isCopy = reach ? isRepeatedWithin('copy', reach, '$person') : isRepeated('copy')
    return {
      said: walker<SaidRow>(
        `feed_id, (CASE WHEN date_only THEN seen_at ELSE sort_at END) / 3600000 AS hour, count(*) AS entries,
         sum(${isCopy}) AS copies`,
        { from: 'entries e', at: 'sort_at', id: 'id', counted: isKept('e') + isSeen('e.feed_id') },
        'GROUP BY feed_id, hour',
      ),
      saidByFeed: walker<Omit<SaidRow, 'feed_id'>>(
        `(CASE WHEN date_only THEN seen_at ELSE sort_at END) / 3600000 AS hour, count(*) AS entries, sum(${isCopy}) AS copies`,
        {
          from: 'entries e INDEXED BY entries_by_feed',
          at: 'sort_at',
          id: 'id',
          only: 'feed_id = $feed',
          counted: isKept('e'),
        },
        'GROUP BY hour',
      ),
      polled: walker<PolledRow>(
        `CASE WHEN result = ${FAILED} THEN json_extract(failure, '$.kind') END AS kind,
         CASE WHEN result = ${FAILED} THEN json_extract(failure, '$.status') END AS status,
         CASE WHEN result = ${FAILED} THEN json_extract(failure, '$.detail') END AS detail, at / 3600000 AS hour, count(*) AS count,
         sum(result = ${FAILED}) AS failed, sum(took_ms) AS took_ms, sum(bytes) AS bytes`,
        { from: 'polls p', at: 'at', id: 'place', counted: `${isKept('p')} AND run IS NULL${isSeen('p.feed_id')}` },
        'GROUP BY 1, 2, 3, 4',
      ),
      runs: walker<PollRow>('p.*', {
        from: 'polls p',
        at: 'at',
        id: 'place',
        counted: `${isKept('p')} AND run IS NOT NULL${isSeen('p.feed_id')}`,
      }),
      told: walker<{ stories: number }>('count(*) AS stories', {
        from: 'groups g',
        at: 'last_at',
        id: 'id',
        counted: `level = ${levelColumn('story')}${reach ? ` AND ${hasTwoWithin(reach, '$person')}` : ''}`,
      }),
    }
  }
  const walkers = new Map<Reach | undefined, ReturnType<typeof walkersOf>>()
  function walkersFor(within: FeedScope | undefined) {
    const known = walkers.get(within?.reach) ?? walkersOf(within?.reach)
    walkers.set(within?.reach, known)
    return known
  }
  const openRuns = createOpenRuns(session)

  /** All that comes after a date, piece by piece: pieces are cut from what is walked (`only`), of which some is counted. */
  function walker<Row>(counts: string, { counted = 'true', ...order }: Walked, grouped = '') {
    const { from, at, id, only = 'true' } = order
    const last = db.prepare<[Given & { at: Instant; id: number; limit: number; offset: number }], Place>(
      `SELECT order_at AS at, order_id AS place FROM (${afterSql({ ...order, columns: '1' })}) LIMIT 1 OFFSET $offset`,
    )
    const count = (condition: string) =>
      `SELECT ${counts} FROM ${from} WHERE ${only} AND ${counted} AND ${condition} ${grouped}`
    const ofDate = db.prepare<[Given & { at: Instant; after: number; upTo: number }], Row>(
      count(`${at} = $at AND ${id} > $after AND ${id} <= $upTo`),
    )
    const between = db.prepare<[Given & { from: Instant; to: Instant; most: number }], Row>(
      count(`${at} > $from AND ${at} < $to AND ${id} <= $most`),
    )
    const rowsBetween = (from: Place, to: Place, most: number, given: Given): Row[] =>
      from.at === to.at
        ? ofDate.all({ ...given, at: from.at, after: from.place, upTo: Math.min(to.place, most) })
        : [
            ...ofDate.all({ ...given, at: from.at, after: from.place, upTo: most }),
            ...between.all({ ...given, from: from.at, to: to.at, most }),
            ...ofDate.all({ ...given, at: to.at, after: 0, upTo: Math.min(to.place, most) }),
          ]
    /** Of ids up to `most`. */
    return async function* (since: Instant, given: Given = {}, most = END.place): AsyncGenerator<Row> {
      let from: Place | undefined = { at: since, place: 0 }
      while (from) {
        const begin: Place = from
        const [to, rows] = await session.read((): [Place | undefined, Row[]] => {
          const to = last.get({ ...given, at: begin.at, id: begin.place, limit: CHUNK, offset: CHUNK - 1 })
          return [to, rowsBetween(begin, to ?? END, most, given)]
        })
        yield* rows
        from = to
      }
    }
  }

  const keepRun = db.prepare<[Instant, Instant]>('INSERT OR REPLACE INTO runs (began_at, last_at) VALUES (?, ?)')
  const runsSince = db.prepare<[Instant], Statistics['runs']>(
    'SELECT count(*) AS count, coalesce(sum(last_at - began_at), 0) AS ms FROM runs WHERE began_at >= ?',
  )

  function isSeen({ personId: person, reach }: FeedScope, feed: FeedId): boolean {
    return session.prepared(`SELECT 1 WHERE ${isWithin(reach, '$feed', '$person')}`).get({ person, feed }) !== undefined
  }

  async function discovered(within?: FeedScope): Promise<Statistics['discovery']> {
    const discoveredIn = session.prepared<{ by: FoundBy | null; habit: FragmentHabit | null; count: number }>(
      `SELECT found_by AS by, fragments AS habit, count(*) AS count FROM feeds
       WHERE (found_by IS NOT NULL OR fragments IS NOT NULL)
       ${within ? `AND ${isWithin(within.reach, 'feeds.id', '$person')}` : ''} GROUP BY 1, 2`,
    )
    const person = within && { person: within.personId }
    const foundBy: Statistics['discovery']['foundBy'] = {}
    const fragments = { shared: 0, apart: 0 }
    for (const { by, habit, count } of await session.read(() => discoveredIn.all(person ?? {}))) {
      if (by !== null) foundBy[by] = (foundBy[by] ?? 0) + count
      if (habit !== null) fragments[habit] += count
    }
    return { foundBy, fragments }
  }

  return {
    recordRun({ beganAt, lastAt }) {
      return session.write(() => void keepRun.run(beganAt, lastAt))
    },

    async entriesByHour(feedIds, since, within) {
      const hours = createEntryHours()
      const { saidByFeed } = walkersFor(within)
      const given = within ? { person: within.personId } : {}
      for (const feed of feedIds) for await (const row of saidByFeed(since, { feed, ...given })) hours.add(row)
      return hours.whole()
    },

    async statistics(since, within) {
      const { said, polled, runs, told } = walkersFor(within)
      const given = within ? { person: within.personId } : {}
      const sums = createStatisticsSums()
      for await (const row of said(since, given)) sums.said(row)
      const logEnd = await openRuns.logEnd()
      for await (const row of openRuns.linesAfter(logEnd, { notBefore: () => since }))
        if (!within || isSeen(within, row.feed_id)) sums.line(row, since)
      for await (const row of polled(since, given, logEnd)) sums.polled(row)
      for await (const row of runs(since, given, logEnd)) sums.line(row, since)
      let stories = 0
      for await (const piece of told(since, given)) stories += piece.stories
      return {
        ...sums.whole(),
        stories,
        runs: await session.read(() => runsSince.get(since)!),
        discovery: await discovered(within),
        byFeed: sums.ofFeeds().sort(largestFirst),
      }
    },
  }
}
