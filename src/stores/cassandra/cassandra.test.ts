/** Runs the content store contract against a real Cassandra, through two handles. */
import { beforeAll, describe, expect, it } from 'vitest'
import { cassandraForTests, onCassandra, whyNoTestCassandra } from '../../../test/cassandra-server.ts'
import type { EntryId } from '../../model/index.ts'
import { contentStoreContract } from '../../ports/content-store.contract.ts'
import { openCassandraContentStore } from './index.ts'

describe.skipIf(whyNoTestCassandra !== undefined)(onCassandra, () => {
  let contact = ''
  let keyspaces = 0
  beforeAll(async () => {
    contact = await cassandraForTests()
  }, 300_000)

  const openKeyspace = (name: string) => openCassandraContentStore(`cassandra://${contact}/${name}`)
  contentStoreContract('Cassandra', async () => {
    const name = `contract_${process.pid}_${++keyspaces}`
    return { contentStore: await openKeyspace(name), other: await openKeyspace(name) }
  })

  it('is not well if too few replicas answer to read a text', async () => {
    const underReplicated = await openCassandraContentStore(`cassandra://${contact}/thin_${process.pid}?copies=3`)
    expect(await underReplicated.health()).toEqual({
      summary: 'Cassandra does not answer; 1 of 1 hosts seem to be up',
      isHealthy: false,
    })
    await expect(underReplicated.getEntries([1 as EntryId])).rejects.toMatchObject({
      kind: 'no-access',
      isTransient: true,
    })
    await underReplicated.close()
  })

  it('reports an unreachable cluster as a transient error', async () => {
    const unreachable = openCassandraContentStore('cassandra://127.0.0.1:1/nothing')
    await expect(unreachable).rejects.toMatchObject({
      kind: 'no-access',
      isTransient: true,
      message: expect.stringMatching(/^could not open .+$/),
    })
  })
})
