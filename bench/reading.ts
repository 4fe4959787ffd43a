/**
 * The cost of user data in a large store: `node bench/reading.ts [feeds] [entries] [file]`. Two users: one follows every feed and has read
 * nothing, the other follows 300 and has read nearly everything. Prints milliseconds of CPU time of the main thread (median, 95th
 * percentile, maximum), because the machine has other work, and the 95th percentile of wall-clock time.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntryId, FeedId, UserId } from '../src/model/index.ts'
import { openSqliteStore } from '../src/stores/index.ts'
import { fillStore } from './filled-store.ts'

const [feeds = 100_000, entries = 2_000_000] = process.argv.slice(2, 4).map(Number)
const folder = process.argv[4] ? undefined : mkdtempSync(join(tmpdir(), 'freshet-reading-'))
const file = process.argv[4] ?? join(folder!, 'reading.db')
const NOW = Date.UTC(2026, 0, 1)
const FOLLOWED = 300

const isThere = existsSync(file)
const began = performance.now()
await openSqliteStore({ file, mode: 'write', now: () => NOW }).store.close()
if (!isThere) fillStore(file, { feeds, entries, now: NOW })
console.log(`${feeds} feeds, ${entries} entries: filled in ${((performance.now() - began) / 1000).toFixed(0)} s`)

const { store } = openSqliteStore({ file, mode: 'write', now: () => NOW })
const all = await store.firstUser()
const some = (isThere ? (await store.allUsers())[1]!.id : await addReader()) as UserId
for (const [name, userId] of [
  ['who follows all and has read nothing', all],
  ['who follows 300 and has read nearly all', some],
] as const)
  await measure(name, userId)
await store.close()
if (folder) rmSync(folder, { recursive: true })

/** Reads all but the last hour, and stars a thousand. */
async function addReader(): Promise<UserId> {
  await store.addUser({ name: 'ada', scope: 'admin', addedAt: NOW, password: '' })
  const id = (await store.addUser({ name: 'bob', scope: 'write', addedAt: NOW, password: '' })) as UserId
  const wanted = Array.from({ length: FOLLOWED }, (_, i) => ({ feedId: (1 + i * 7) as FeedId, folder: `F ${i % 5}` }))
  await store.follow(id, wanted, NOW, Number.POSITIVE_INFINITY)
  await store.markAllRead(id, {}, { seenBefore: NOW - (entries / 20) * 60_000 })
  for (const who of [id, all])
    await store.starEntries(
      who,
      Array.from({ length: 1000 }, (_, i) => (1 + i * Math.floor(entries / 1000)) as EntryId),
      true,
      NOW,
    )
  return id
}

async function measure(name: string, userId: UserId): Promise<void> {
  console.log(`\n${name}: ${JSON.stringify(await store.readerCounts(userId))}`)
  console.log(`${' '.repeat(28)}${['CPU p50', 'p95', 'longest', 'wall p95'].map((one) => one.padStart(10)).join('')}`)
  const pages = async (query: object, most = 40) => {
    const times: Took[] = []
    let [found, after] = [0, undefined as { at: number; id: EntryId } | undefined]
    for (let page = 0; page < most; page++) {
      const took = startWatch()
      const answer = await store.entriesFor(userId, { limit: 50, ...query, ...(after && { after }) })
      times.push(took())
      found += answer.entries.length
      after = answer.nextAfter
      if (!after) break
    }
    return { times, note: `${times.length} pages, ${found} entries` }
  }
  const times = async (work: () => Promise<unknown>, runs = 20) => {
    const taken: Took[] = []
    for (let i = 0; i < runs; i++) {
      const took = startWatch()
      await work()
      taken.push(took())
    }
    return { times: taken, note: '' }
  }
  const deep = { until: NOW - entries * 30_000 }
  const ids = Array.from({ length: 50 }, (_, i) => (entries - i * 37) as EntryId)
  const folder = (await store.readerCounts(userId)).folders[0]?.folder ?? ''
  const rows: [string, { times: Took[]; note: string }][] = [
    ['counts', await times(() => store.readerCounts(userId))],
    [
      'subscriptions, a page of 50',
      await times(() => store.subscriptionsOf(userId, { after: 250 as FeedId, limit: 50 })),
    ],
    ['all of mine', await pages({})],
    ['all of mine, far back', await pages(deep)],
    ['unread', await pages({ read: false })],
    ['unread, far back', await pages({ read: false, ...deep })],
    ['read', await pages({ read: true }, 10)],
    ['of a folder', await pages({ folder })],
    ['unread of a folder', await pages({ read: false, folder })],
    ['starred', await pages({ starred: true })],
    [
      'unread ids, 1000 a page',
      await times(() => store.arrivalsFor(userId, { read: false, order: 'newest', limit: 1000 })),
    ],
    [
      'unread ids, oldest first',
      await times(() => store.arrivalsFor(userId, { read: false, order: 'oldest', limit: 1000 })),
    ],
    ['states of 50', await times(() => store.entryStates(userId, ids))],
    [
      'mark 50, and back',
      await times(async () => {
        const { change } = await store.markEntries(userId, ids, 'read', NOW)
        await store.undoChange(userId, change)
      }),
    ],
    [
      'read a feed, and back',
      await times(async () => {
        const { change } = await store.markAllRead(userId, { feedIds: [8 as FeedId] })
        await store.undoChange(userId, change)
      }),
    ],
    [
      'read all older than a week',
      await times(() => store.markAllRead(userId, {}, { datedBefore: NOW - 7 * 86_400_000 }), 1),
    ],
    ['read all', await times(() => store.markAllRead(userId, {}), 1)],
  ]
  for (const [what, { times: taken, note }] of rows) {
    const at = (name: keyof Took, share: number) => {
      const sorted = taken.map((one) => one[name]).sort((a, b) => a - b)
      return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1).padStart(10)
    }
    const figures = [at('cpuMs', 0.5), at('cpuMs', 0.95), at('cpuMs', 1), at('ms', 0.95)]
    console.log(`${what.padEnd(28)}${figures.join('')}  ${note}`)
  }
}

interface Took {
  ms: number
  cpuMs: number
}

function startWatch(): () => Took {
  const [began, cpuBefore] = [performance.now(), process.threadCpuUsage()]
  return () => {
    const { user, system } = process.threadCpuUsage(cpuBefore)
    return { ms: performance.now() - began, cpuMs: (user + system) / 1000 }
  }
}
