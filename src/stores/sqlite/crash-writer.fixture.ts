/**
 * A process that writes until it is killed: `node crash-writer.fixture.ts FILE NUMBER`. Batch by batch, starting with that number, it
 * records one poll of every feed, some of which bring nothing new, indexes new entries, and prints the number of each acknowledged batch.
 */
import { writeSync } from 'node:fs'
import { draft, newFeed, record, START, unchangedRecord } from '../../ports/store-samples.contract.ts'
import { openSqliteStore } from './index.ts'

const [file, first] = process.argv.slice(2)
const { store, search, announce } = openSqliteStore({ file: file!, mode: 'write', now: () => START })
announce('http://writer.localhost/')
const feeds = await store.addFeeds(Array.from({ length: 20 }, (_, i) => newFeed(`feed-${i}`)))
const quiet = await store.addFeeds(Array.from({ length: 5 }, (_, i) => newFeed(`quiet-${i}`)))

for (let number = Number(first); ; number++) {
  const fresh = ['x', 'y', 'z'].map((name) => draft(`${number}-${name}`, { summary: 'as it may be '.repeat(20) }))
  await store.recordPolls([
    ...feeds.map(({ id }) => record(id, START + number, { fresh })),
    ...quiet.map(({ id }) => unchangedRecord(id, START + number)),
  ])
  writeSync(1, `${number}\n`)

  const { positions, changes } = await store.unindexed(100)
  const known = { names: [], language: 'en', category: 'uncategorized' }
  await search.put(
    changes.flatMap(({ entry }) => (entry ? [{ ...entry, at: entry.seenAt, text: entry.key, ...known }] : [])),
  )
  await store.markIndexed(positions)
  await store.leaseDue(START + number, 5, START + number + 10)
}
