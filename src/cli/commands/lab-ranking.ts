/** `freshet lab ranking`: replays a user's own reading, to show how well "For you" would have served them. */
import type { Command } from 'commander'
import type { RankingComparisonShape } from '../../api/index.ts'
import { openQueries } from '../../app/index.ts'
import { configOf, type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { count, type Io, printJson, printTable } from '../io.ts'

const METHODS = { personal: 'for you', newest: 'newest first', feeds: 'feeds opened most' } as const

export function rankingCommand(lab: Command, io: Io): void {
  const command = lab
    .command('ranking')
    .summary('Test the ranking "For you" on your own reading')
    .description(
      'Test the ranking "For you" on your own reading: whether it would have put what you opened on top.\nRanks the entries of each session with what was learned before it, beside two simple orders.',
    )
    .option('--json', 'Print the result as JSON.')
    .action(async (flags: Flags) => ranking(io, flags))
  withSettings(command, USER_OPTIONS)
  withExamples(command, 'freshet lab ranking', 'freshet lab ranking --user ada --json')
}

async function ranking(io: Io, flags: Flags): Promise<void> {
  const queries = await openQueries(configOf(io, flags))
  try {
    const comparison = await queries.rankingComparison()
    if (flags.json) return printJson(io, comparison)
    const { sessions, interactions } = comparison
    io.note(`${count(sessions, 'session')} with ${count(interactions, 'entry', 'entries')} replayed`)
    if (sessions === 0) return io.note('read with the page for some days, opening some entries and not others')
    printTable(io, Object.keys(METHODS) as (keyof typeof METHODS)[], [
      { title: 'order', of: (method) => METHODS[method] },
      { title: 'precision@10', of: (method) => figure(comparison[method].precisionAt10), right: true },
      { title: 'NDCG@20', of: (method) => figure(comparison[method].ndcgAt20), right: true },
    ])
  } finally {
    await queries.close()
  }
}

function figure(value: RankingComparisonShape['personal']['ndcgAt20']): string {
  return value.toFixed(2)
}
