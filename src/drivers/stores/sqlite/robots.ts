/**
 * What sites ask of crawlers: one row for each origin that was ever asked, until it is old. Of a domain whose every name
 * answers there could be any number, so each root has so much room and no more. And where sites have no feed.
 */
import type { Instant, RobotsRecord } from '../../../model/index.ts'
import { MOST_MISSES, type Store } from '../../../ports/index.ts'
import { jsonInColumn, ownAddress } from '../sql/columns.ts'
import { bounded, type SqliteSession } from './session.ts'

interface MissRow {
  host: string
  url: string
  at: Instant
}

type RobotsMethods = 'robots' | 'recordRobots' | 'forgetRobots' | 'shrinkRobots' | 'misses' | 'recordMisses'

interface Site {
  origin: string
  bytes: number
}

export function robotsQueries(session: SqliteSession): Pick<Store, RobotsMethods> {
  const { db } = session
  const get = db.prepare<[string], string>('SELECT record FROM robots WHERE origin = ?').pluck()
  const keep = db.prepare<[string, Instant, string, string, number]>(
    'INSERT OR REPLACE INTO robots (origin, fetched_at, record, root, bytes) VALUES (?, ?, ?, ?, ?)',
  )
  const room = db.prepare<[string], number>('SELECT total(bytes) FROM robots WHERE root = ?').pluck()
  const roomOfAll = db.prepare<[], number>('SELECT total(bytes) FROM robots').pluck()
  const oldestOfRoot = db.prepare<[string], Site>(
    'SELECT origin, bytes FROM robots WHERE root = ? ORDER BY fetched_at LIMIT -1',
  )
  const oldest = db.prepare<[number], Site>('SELECT origin, bytes FROM robots ORDER BY fetched_at LIMIT ?')
  const drop = db.prepare<[string]>('DELETE FROM robots WHERE origin = ?')
  const forget = db.prepare(
    'DELETE FROM robots WHERE origin IN (SELECT origin FROM robots WHERE fetched_at < ? ORDER BY fetched_at LIMIT ?)',
  )
  const missed = db.prepare<[string, Instant, number], MissRow>(
    'SELECT host, url, at FROM misses WHERE host = ? AND at >= ? ORDER BY at DESC, url LIMIT ?',
  )
  const miss = db.prepare('INSERT OR REPLACE INTO misses (host, url, at) VALUES (?, ?, ?)')
  const forgetMisses = db.prepare('DELETE FROM misses WHERE at < ?')

  /** So many of the first that what is left fits; says how many those were. */
  function shrink(sites: Site[], room: number, most: number): number {
    let left = room
    let dropped = 0
    for (const { origin, bytes } of sites) {
      if (left <= most) break
      drop.run(origin)
      left -= bytes
      dropped++
    }
    return dropped
  }

  return {
    misses(hosts, since) {
      return session.read(() =>
        hosts
          .flatMap((host) => missed.all(host, since, MOST_MISSES))
          .map(({ url, ...rest }) => ({ ...rest, url: ownAddress(url) })),
      )
    },
    recordMisses(misses, before) {
      return session.write(() => {
        forgetMisses.run(before)
        for (const { host, url, at } of misses) miss.run(host, url, at)
      })
    },
    robots(origins) {
      return session.read(() =>
        origins.map((origin) => {
          return jsonInColumn<RobotsRecord>(get.get(origin))
        }),
      )
    },
    recordRobots(sites, mostBytesOfRoot) {
      return session.write(() => {
        for (const { origin, root, record } of sites) {
          const written = JSON.stringify(record)
          keep.run(origin, record.fetchedAt, written, root, origin.length + written.length)
        }
        for (const root of new Set(sites.map((site) => site.root))) {
          const taken = room.get(root) ?? 0
          if (taken > mostBytesOfRoot) shrink(oldestOfRoot.all(root).slice(0, -1), taken, mostBytesOfRoot)
        }
      })
    },
    forgetRobots(before, limit) {
      return session.write(() => forget.run(before, bounded(limit)).changes)
    },
    shrinkRobots(bytes, limit) {
      return session.write(() => {
        const taken = roomOfAll.get() ?? 0
        return taken > bytes ? shrink(oldest.all(bounded(limit)), taken, bytes) : 0
      })
    },
  }
}
