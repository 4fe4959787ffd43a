/** Poll results and the poll log of the memory store. */
import type { Poll } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import type { RetentionMethods } from '../methods.ts'
import { copyOf } from './copy.ts'
import { applyEntryChanges, applyPoll, copyRecord, holdsLease, logLines, type State } from './state.ts'
import { wantArticles } from './wanted-articles.ts'

type PollMethods = 'recordPolls' | 'recordEntries' | 'polls' | 'everyPoll' | 'pollsToForget'

export function pollResultsOf(state: State): Pick<Store, PollMethods> & Pick<RetentionMethods, 'forgetPolls'> {
  return {
    async recordPolls(records) {
      return records
        .map((one) => copyRecord(one))
        .map((record) => {
          const stored = state.feeds.get(record.poll.feedId)
          if (!stored) return 'void'
          const { lease, revision = stored.revision, poll } = record
          if (!holdsLease(stored.lease, lease) || (stored.schedule.polledAt ?? Number.NEGATIVE_INFINITY) >= poll.at)
            return 'void'
          if (stored.revision !== revision) return 'stale'
          applyPoll(state, stored, record)
          applyEntryChanges(state, stored, record, poll.at)
          wantArticles(state, stored, record, poll.at)
          return 'recorded'
        })
    },

    async recordEntries(records) {
      for (const record of records.map((one) => copyRecord(one))) {
        const stored = state.feeds.get(record.feedId)
        if (!stored) continue
        applyEntryChanges(state, stored, record, record.at)
        wantArticles(state, stored, record, record.at)
      }
    },

    async polls({ after, limit, ...filter }) {
      const matching = logLines(state).flat().filter(pollFits(filter)).reverse()
      let skip = after?.skip ?? 0
      const isAfter = ({ at }: Poll) => !after || at < after.at || (at === after.at && skip-- <= 0)
      return copyOf(
        matching
          .sort((a, b) => b.at - a.at || b.feedId - a.feedId)
          .filter(isAfter)
          .slice(0, limit),
      )
    },

    async *everyPoll(filter) {
      const matching = logLines(state).flat().filter(pollFits(filter))
      for (const poll of matching.sort((a, b) => a.feedId - b.feedId)) yield copyOf(poll)
    },

    async forgetPolls(before, limit) {
      const lastAt = (logLine: Poll[]) => logLine.at(-1)!.at
      const droppedLines = new Set(
        state.pollLog
          .filter((logLine) => lastAt(logLine) < before)
          .sort((a, b) => lastAt(a) - lastAt(b))
          .slice(0, limit),
      )
      state.pollLog = state.pollLog.filter((logLine) => !droppedLines.has(logLine))
      for (const stored of state.feeds.values()) {
        if (droppedLines.size >= limit || stored.openRun.length === 0 || lastAt(stored.openRun) >= before) continue
        droppedLines.add(stored.openRun)
        stored.openRun = []
      }
      return droppedLines.size
    },

    async *pollsToForget(before) {
      for (const logLine of logLines(state))
        if (logLine.at(-1)!.at < before) for (const poll of logLine) yield copyOf(poll)
    },
  }
}

function pollFits({ feedId, since = Number.NEGATIVE_INFINITY }: Parameters<Store['everyPoll']>[0]) {
  return (poll: Poll) => (feedId === undefined || poll.feedId === feedId) && poll.at >= since
}
