/** The memory store's poll results and the log of polls. */
import type { Poll } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { wantPages } from './articles-enlisted.ts'
import { copyOf } from './copy.ts'
import { applyNews, applyPoll, isUnder, logLines, ownRecord, type State } from './state.ts'

type PollMethods = 'recordPolls' | 'recordNews' | 'polls' | 'everyPoll' | 'forgetPolls' | 'pollsToForget'

export function pollResultsOf(state: State): Pick<Store, PollMethods> {
  return {
    async recordPolls(records) {
      return records
        .map((one) => ownRecord(one))
        .map((record) => {
          const held = state.feeds.get(record.poll.feedId)
          if (!held) return 'void'
          const { lease, revision = held.revision, poll } = record
          if (!isUnder(held.lease, lease) || (held.schedule.polledAt ?? Number.NEGATIVE_INFINITY) >= poll.at)
            return 'void'
          if (held.revision !== revision) return 'stale'
          applyPoll(state, held, record)
          applyNews(state, held, record, poll.at)
          wantPages(state, held, record, poll.at)
          return 'recorded'
        })
    },

    async recordNews(records) {
      for (const record of records.map((one) => ownRecord(one))) {
        const held = state.feeds.get(record.feedId)
        if (!held) continue
        applyNews(state, held, record, record.at)
        wantPages(state, held, record, record.at)
      }
    },

    async polls({ after, limit, ...filter }) {
      const found = logLines(state).flat().filter(pollFits(filter)).reverse()
      let skip = after?.skip ?? 0
      const isAfter = ({ at }: Poll) => !after || at < after.at || (at === after.at && skip-- <= 0)
      return copyOf(
        found
          .sort((a, b) => b.at - a.at || b.feedId - a.feedId)
          .filter(isAfter)
          .slice(0, limit),
      )
    },

    async *everyPoll(filter) {
      const found = logLines(state).flat().filter(pollFits(filter))
      for (const poll of found.sort((a, b) => a.feedId - b.feedId)) yield copyOf(poll)
    },

    async forgetPolls(before, limit) {
      const lastAt = (line: Poll[]) => line.at(-1)!.at
      const dropped = new Set(
        state.log
          .filter((line) => lastAt(line) < before)
          .sort((a, b) => lastAt(a) - lastAt(b))
          .slice(0, limit),
      )
      state.log = state.log.filter((line) => !dropped.has(line))
      for (const held of state.feeds.values()) {
        if (dropped.size >= limit || held.openRun.length === 0 || lastAt(held.openRun) >= before) continue
        dropped.add(held.openRun)
        held.openRun = []
      }
      return dropped.size
    },

    async *pollsToForget(before) {
      for (const line of logLines(state)) if (line.at(-1)!.at < before) for (const poll of line) yield copyOf(poll)
    },
  }
}

function pollFits({ feedId, since = Number.NEGATIVE_INFINITY }: Parameters<Store['everyPoll']>[0]) {
  return (poll: Poll) => (feedId === undefined || poll.feedId === feedId) && poll.at >= since
}
