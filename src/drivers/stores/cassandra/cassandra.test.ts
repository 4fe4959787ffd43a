/** A real Cassandra, held to the library's contract, and, with a ledger in memory, to that of stores. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CassandraNode, startCassandra, whyNoCassandra } from '../../../../tools/cassandra-node.ts'
import type { Library } from '../../../ports/index.ts'
import { libraryContract } from '../../../ports/library.contract.ts'
import { storeContract } from '../../../ports/store.contract.ts'
import { createMemoryStore } from '../memory/index.ts'
import { withLibrary } from '../split/index.ts'
import { openCassandraLibrary } from './index.ts'

const why = whyNoCassandra()

describe.skipIf(why !== undefined)(`on a real Cassandra${why ? `, which cannot be had: ${why}` : ''}`, () => {
  let node: CassandraNode | undefined
  let spaces = 0
  /** Each library has a keyspace of its own. */
  const empty = () => openCassandraLibrary(`cassandra://${node!.contact}/contract_${++spaces}`)
  beforeAll(async () => {
    node = await startCassandra()
  }, 300_000)
  afterAll(async () => await node?.stop('kill'), 60_000)

  libraryContract('Cassandra', empty)

  // One for all: what is left of others does no harm, since names are made of what is said.
  let shared: Library | undefined
  afterAll(async () => await shared?.close())
  storeContract('memory ledger with Cassandra beside it', async () => {
    shared ??= await openCassandraLibrary(`cassandra://${node!.contact}/ledger`)
    return withLibrary(createMemoryStore(), { ...shared, close: async () => {} }, { shortest: 0 })
  })

  it('says in plain words that it cannot be reached, and that this may pass', async () => {
    const nobody = openCassandraLibrary('cassandra://127.0.0.1:1/nothing')
    await expect(nobody).rejects.toMatchObject({ trouble: 'no-access', isPassing: true })
  })
})
