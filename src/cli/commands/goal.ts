/** `freshet goal`: sets or lists freshness goals, and shows whether the budget is sufficient. */
import type { Command } from 'commander'
import type { GoalsShape } from '../../api/index.ts'
import { InputError, openCommands, openQueries } from '../../app/index.ts'
import { formatDuration, type PollingGoals, parseDuration, SECOND } from '../../model/index.ts'
import { configOf, type Flags, STORE_OPTIONS, withExamples, withSettings } from '../command.ts'
import { type Io, plainLine, printJson, printTable } from '../io.ts'
import { resolveFeed } from '../resolve-feed.ts'
import { assertFolderExists } from '../resolve-folder.ts'

type GoalLine = GoalsShape['lines'][number]

const GOAL_FLAGS = { within: 'goalMs', notSooner: 'minMs', notLater: 'maxMs' } as const

export function goalCommand(command: Command, io: Io): void {
  command
    .description(
      'Set or list freshness goals.\nSets how early news of a feed or folder should arrive, replacing an earlier goal. Without a feed or folder, lists all goals, their cost in polls, and whether the budget is sufficient.',
    )
    .argument('[feed]', 'Number, address or title of a feed.')
    .option('--folder <name>', 'Set the goal of this folder, for feeds without a goal of their own.')
    .option('--within <time>', 'Target time from publication to arrival, such as 10m.')
    .option('--not-sooner <time>', 'Minimum time between two polls.')
    .option('--not-later <time>', 'Maximum time between two polls.')
    .option('--none', 'Remove the goal.')
    .option('--json', 'Print one JSON object.')
    .action(async (word: string | undefined, flags: Flags) => goal(io, word, flags))
  withSettings(command, [...STORE_OPTIONS, 'budget', 'minInterval', 'maxInterval'])
  withExamples(
    command,
    'freshet goal --folder News --within 10m',
    'freshet goal 3 --not-sooner 1h',
    'freshet goal --folder News --none',
    'freshet goal',
  )
}

async function goal(io: Io, word: string | undefined, flags: Flags): Promise<void> {
  const folder = typeof flags.folder === 'string' ? flags.folder : undefined
  const wants = wantsFlags(flags)
  if (word === undefined && folder === undefined) {
    if (wants) throw new InputError('a goal needs a feed or a folder', 'freshet goal --folder News --within 10m')
    return list(io, flags)
  }
  if (word !== undefined && folder !== undefined)
    throw new InputError('a goal is for a feed or for a folder', 'give only one of them')
  if (!wants) throw new InputError('no goal is given', 'give --within, --not-sooner, --not-later or --none')

  const config = configOf(io, flags)
  const queries = await openQueries(config)
  const resolved = word === undefined ? assertFolderExists(folder ?? '', queries) : resolveFeed(word, queries)
  const feed = (await resolved.finally(queries.close)) ?? undefined
  const commands = await openCommands(config)
  try {
    if (!feed) await commands.want(folder ?? '', wants)
    else if (!(await commands.edit(feed.id, { wants })))
      throw new InputError(`feed ${feed.id} is gone`, 'freshet feeds lists all feeds')
  } finally {
    await commands.close()
  }
  if (flags.json) return printJson(io, { ...(feed ? { feedId: feed.id } : { folder }), wants })
  io.out(plainLine(`${feed ? feed.title || feed.url : folder}: ${describeWants(wants)}`))
}

/** Returns undefined if no goal flag is set. */
function wantsFlags(flags: Flags): PollingGoals | undefined {
  const wants: PollingGoals = {}
  for (const [flag, name] of Object.entries(GOAL_FLAGS)) {
    const text = flags[flag]
    if (typeof text !== 'string') continue
    const ms = parseDuration(text)
    if (ms === undefined || ms < SECOND)
      throw new InputError(`"${text}" is not a duration`, 'write it as 90s, 10m, 2h or 1d')
    wants[name] = ms
  }
  if ((wants.minMs ?? 0) > (wants.maxMs ?? Number.POSITIVE_INFINITY))
    throw new InputError('--not-sooner is longer than --not-later', 'set --not-sooner to the shorter one')
  if (Object.keys(wants).length > 0) return wants
  return flags.none ? {} : undefined
}

async function list(io: Io, flags: Flags): Promise<void> {
  const queries = await openQueries(configOf(io, flags))
  const report = await queries.goals().finally(queries.close)
  if (flags.json) return printJson(io, report)
  if (report.lines.length === 0) io.note('no goals; set one with freshet goal --folder News --within 10m')
  else printTable(io, report.lines, COLUMNS)
  io.out(describeBudget(report))
}

const COLUMNS = [
  {
    title: 'of',
    of: ({ of }: GoalLine) => ('folder' in of ? `folder ${of.folder}` : `feed ${of.feedId}, ${of.title}`),
    shrinks: true,
  },
  { title: 'goal', of: ({ wants }: GoalLine) => describeWants(wants) },
  { title: 'feeds', of: ({ feeds }: GoalLine) => String(feeds), right: true },
  { title: 'polls a day', of: ({ pollsPerDay }: GoalLine) => pollsPerDay.toFixed(0), right: true },
  {
    title: 'usual delay',
    of: ({ delayMs }: GoalLine) => (delayMs === undefined ? 'not known yet' : `under ${formatDuration(delayMs)}`),
  },
]

function describeBudget({ pollsPerDay, pollsForGoals, budget, goalStretch, needed, delayMs }: GoalsShape): string {
  const total = `about ${pollsPerDay.toFixed(0)} polls a day in all, ${pollsForGoals.toFixed(0)} of them for goals`
  const mean = delayMs === undefined ? '' : `; the mean delay of all entries is ${formatDuration(delayMs)}`
  if (budget === 'auto') return `${total}; no budget is set, so other feeds are not delayed${mean}`
  if (goalStretch !== undefined)
    return `${total}; the budget of ${budget} is not enough: arrivals take ${goalStretch.toFixed(1)} times as long as the goals. Raise it to ${needed ?? budget} or more, or relax goals${mean}`
  if (pollsForGoals > budget / 2)
    return `${total}, of a budget of ${budget}: the goals are met; other feeds are polled less often${mean}`
  return `${total}, of a budget of ${budget}: the goals are met${mean}`
}

function describeWants({ goalMs, minMs, maxMs }: GoalLine['wants']): string {
  const words = [
    ...(goalMs === undefined ? [] : [`within ${formatDuration(goalMs)}`]),
    ...(minMs === undefined ? [] : [`not sooner than every ${formatDuration(minMs)}`]),
    ...(maxMs === undefined ? [] : [`not later than every ${formatDuration(maxMs)}`]),
  ]
  return words.join(', ') || 'no goal'
}
