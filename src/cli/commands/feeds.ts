/** `freshet feeds`: lists feeds. */
import type { Command } from 'commander'
import type { FeedShape } from '../../api/index.ts'
import { openQueries } from '../../app/index.ts'
import { configOf, type Flags, integerFlag, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { type Io, printJsonLines, printTable, timeAgo } from '../io.ts'

export function feedsCommand(command: Command, io: Io): void {
  command
    .description('List feeds.\nShows number, title, entries, state, last success and next poll.')
    .argument('[text]', 'Only feeds with this text in their title or address.')
    .option('--folder <name>', 'Only feeds in this folder.')
    .option('--category <word>', 'Only feeds of this category. "" selects feeds without one.')
    .option('--failing', 'Only feeds whose last poll failed.')
    .option('--paused', 'Only paused feeds.')
    .option('--next', 'Sort by next poll.')
    .option('--limit <n>', 'Maximum number of feeds. (default: all)')
    .option('--json', 'Print one JSON object per line.')
    .action(async (text: string | undefined, flags: Flags) => feeds(io, text, flags))
  withSettings(command, USER_OPTIONS)
  withExamples(
    command,
    'freshet feeds',
    'freshet feeds --failing',
    'freshet feeds --next --limit 10',
    'freshet feeds --json | jq .url',
  )
}

async function feeds(io: Io, text: string | undefined, flags: Flags): Promise<void> {
  const queries = await openQueries(configOf(io, flags))
  try {
    const shapes = await queries.feeds({
      order: flags.next ? 'due' : 'id',
      limit: integerFlag(flags, 'limit', Number.MAX_SAFE_INTEGER),
      ...(text && { text }),
      ...(typeof flags.folder === 'string' && { folder: flags.folder }),
      ...(typeof flags.category === 'string' && { category: flags.category }),
      ...(flags.failing && { failing: true as const }),
      ...(flags.paused && { state: 'paused' as const }),
    })
    if (flags.json) return printJsonLines(io, shapes)
    if (shapes.length === 0) return io.note('no matching feeds; add one with freshet add <address>')
    printTable(io, shapes, columnsAt(io.now()))
  } finally {
    await queries.close()
  }
}

const columnsAt = (now: number) => [
  { title: 'feed', of: (feed: FeedShape) => String(feed.id), right: true },
  { title: 'title', of: (feed: FeedShape) => feed.title || feed.url, shrinks: true },
  { title: 'entries', of: ({ entries = 0 }: FeedShape) => entries.toLocaleString('en'), right: true },
  { title: 'state', of: stateOf, shrinks: true },
  { title: 'last success', of: (feed: FeedShape) => timeAgo(feed.schedule.succeededAt, now) },
  { title: 'next poll', of: (feed: FeedShape) => timeAgo(feed.schedule.dueAt, now) },
  { title: 'address', of: (feed: FeedShape) => feed.url, shrinks: true },
]

function stateOf({ state, trouble, schedule }: FeedShape): string {
  if (state !== 'active') return state
  if (trouble) return trouble.words
  return schedule.polledAt ? 'ok' : 'new'
}
