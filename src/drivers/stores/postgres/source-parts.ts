/** What sources change in other tables, see ../sql/sources.ts. */
import type { FeedId } from '../../../model/index.ts'
import type { SourceParts } from '../sql/sources.ts'
import { addFeedsIn } from './feed-writer.ts'
import { recordPollsIn } from './poll-writer.ts'
import { readings } from './reading-writer.ts'
import { asyncTransaction } from './sql-session.ts'

export const SOURCE_PARTS: SourceParts = {
  *addFeed(tx, feed) {
    const [answer] = (yield addFeedsIn(asyncTransaction(tx), [feed])) as { id: FeedId; added: boolean }[]
    return answer!
  },
  *recordPoll(tx, feedId, record) {
    yield recordPollsIn(asyncTransaction(tx), [{ ...record, poll: { ...record.poll, feedId } }])
  },
  followFound: readings.sourceFound,
  sourceRemoved: (tx, id) => readings.sourcesRemoved(tx, [id]),
}
