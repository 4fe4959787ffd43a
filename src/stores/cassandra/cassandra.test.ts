/** A real Cassandra, held to the library's contract by two handles. */
import { beforeAll, describe, expect, it } from 'vitest'
import { cassandraForTests, onCassandra, whyNoTestCassandra } from '../../../test/cassandra-server.ts'
import type { EntryId } from '../../model/index.ts'
import { libraryContract } from '../../ports/content-store.contract.ts'
import { openCassandraLibrary } from './index.ts'

describe.skipIf(whyNoTestCassandra !== undefined)(onCassandra, () => {
  let contact = ''
  let spaces = 0
  beforeAll(async () => {
    contact = await cassandraForTests()
  }, 300_000)

  const inSpace = (name: string) => openCassandraLibrary(`cassandra://${contact}/${name}`)
  libraryContract('Cassandra', async () => {
    const name = `contract_${process.pid}_${++spaces}`
    return { library: await inSpace(name), other: await inSpace(name) }
  })

  it('is not well where too few machines answer for a text to be read, whatever runs', async () => {
    const thin = await openCassandraLibrary(`cassandra://${contact}/thin_${process.pid}?copies=3`)
    expect(await thin.health()).toEqual({
      summary: 'Cassandra does not answer, 1 of 1 machines seem to run',
      isWell: false,
    })
    await expect(thin.filed([1 as EntryId])).rejects.toMatchObject({ trouble: 'no-access', isPassing: true })
    await thin.close()
  })

  it('says in plain words that it cannot be reached, and that this may pass', async () => {
    const nobody = openCassandraLibrary('cassandra://127.0.0.1:1/nothing')
    await expect(nobody).rejects.toMatchObject({
      trouble: 'no-access',
      isPassing: true,
      message: expect.stringMatching(/^could not open .+$/),
    })
  })
})
