/** `freshet stories`: lists stories by size, or the entries of one story by time. */
import type { Command } from 'commander'
import type { GroupShape, MemberShape } from '../../api/index.ts'
import { InputError, openQueries, type Queries } from '../../app/index.ts'
import { formatDuration } from '../../model/index.ts'
import { configOf, type Flags, integerFlag, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { count, type Io, plainLine, printJson, printJsonLines, printTable, timeAgo } from '../io.ts'
import { parseTimeFlag } from './entries.ts'

export function storiesCommand(command: Command, io: Io): void {
  command
    .description('List stories, or the entries of one.\nStories that most feeds report come first.')
    .argument('[story]', 'Number of a story, such as g12.')
    .option('--since <time>', 'Only stories with an entry since then, such as 24h or 2026-01-31. (default: 7d)')
    .option('--recent', 'Sort by newest entry.')
    .option('--copies', 'List groups of copies instead of stories.')
    .option('--min-size <n>', 'Minimum number of entries. (default: 2)')
    .option('--limit <n>', 'Maximum number of stories. (default: 20)')
    .option('--json', 'Print one JSON object per line.')
    .action(async (word: string | undefined, flags: Flags) => stories(io, word, flags))
  withSettings(command, USER_OPTIONS)
  withExamples(command, 'freshet stories', 'freshet stories --since 24h --min-size 3', 'freshet stories g12')
}

async function stories(io: Io, word: string | undefined, flags: Flags): Promise<void> {
  const limit = integerFlag(flags, 'limit', 20)
  const minSize = integerFlag(flags, 'minSize', 2)
  const since = parseTimeFlag(typeof flags.since === 'string' ? flags.since : '7d', io.now())
  const queries = await openQueries(configOf(io, flags))
  try {
    if (word !== undefined) return await showStory(io, word, queries, flags)
    const level = flags.copies ? 'copy' : 'story'
    const order = flags.recent ? 'recent' : 'large'
    const groups = await queries.groups({ level, order, since, minSize, limit })
    if (flags.json) return printJsonLines(io, groups)
    if (groups.length === 0) return io.note('no stories since then; look further back with --since')
    printTable(io, groups, [
      { title: flags.copies ? 'copies' : 'story', of: ({ id }: GroupShape) => `g${id}`, right: true },
      { title: 'entries', of: ({ size }: GroupShape) => size.toLocaleString('en'), right: true },
      { title: 'first', of: ({ firstAt }: GroupShape) => timeAgo(firstAt, io.now()), right: true },
      { title: 'last', of: ({ lastAt }: GroupShape) => timeAgo(lastAt, io.now()), right: true },
      { title: 'feed', of: ({ primary }: GroupShape) => primary?.feedTitle ?? '', shrinks: true },
      { title: 'title', of: ({ primary }: GroupShape) => primary?.title || primary?.url || 'untitled', shrinks: true },
    ])
  } finally {
    await queries.close()
  }
}

async function showStory(io: Io, word: string, queries: Queries, flags: Flags): Promise<void> {
  const number = /^g?(\d{1,15})$/.exec(word)?.[1]
  const details = number === undefined ? undefined : await queries.group(Number(number))
  if (!details) throw new InputError(`there is no story "${word}"`, 'freshet stories lists all stories')
  if (flags.json) return printJson(io, details)
  const { group, members, more } = details
  const what = group.level === 'copy' ? 'copies:' : 'story:'
  io.out(`g${group.id}  ${plainLine(group.primary?.title || 'untitled')}`)
  io.out(
    `${what} ${count(group.size, 'entry', 'entries')}, from ${group.firstAt} to ${group.lastAt}; primary e${group.primary?.id}`,
  )
  io.out('')
  const firstAt = Date.parse(group.firstAt)
  printTable(io, members, [
    { title: 'entry', of: ({ entry }: MemberShape) => `e${entry.id}`, right: true },
    { title: 'after', of: ({ at }: MemberShape) => formatDelay(Date.parse(at) - firstAt), right: true },
    { title: 'bits', of: ({ distance }: MemberShape) => String(distance), right: true },
    { title: 'feed', of: ({ entry }: MemberShape) => entry.feedTitle ?? '', shrinks: true },
    { title: 'title', of: ({ entry }: MemberShape) => entry.title || entry.url || 'untitled', shrinks: true },
    { title: 'why', of: ({ reason }: MemberShape) => reason ?? '', shrinks: true },
  ])
  if (more) io.out(`and ${group.size - members.length} more`)
}

function formatDelay(ms: number): string {
  return ms === 0 ? 'first' : formatDuration(ms)
}
