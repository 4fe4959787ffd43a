/** What polls change, until the records are written once for both databases. */
import type { Store } from '../../../ports/index.ts'
import { recordNewsIn, recordPollsIn } from './poll-writer.ts'
import type { PostgresSession } from './session.ts'

export function pollMethods(session: PostgresSession): Pick<Store, 'recordPolls' | 'recordNews'> {
  return {
    recordPolls: (records) => session.write((tx) => recordPollsIn(tx, records)),
    recordNews: (records) => session.write((tx) => recordNewsIn(tx, records)),
  }
}
