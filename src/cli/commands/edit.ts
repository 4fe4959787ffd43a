/** `freshet edit`: changes a feed. */
import type { Command } from 'commander'
import { type Commands, InputError, openCommands, openQueries } from '../../app/index.ts'
import { configOf, type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { type Io, plainLine, printJson } from '../io.ts'
import { labelFlag } from '../label.ts'
import { resolveFeed } from '../resolve-feed.ts'

const PREFERENCES = ['auto', 'always', 'never', '']
const LABELS = ['title', 'folder', 'titlePrefix', 'name', 'category'] as const
const OTHERS = ['strategy', 'url', 'articles'] as const

export function editCommand(command: Command, io: Io): void {
  command
    .description(
      'Change the title, folder, strategy or address of a feed.\nAn empty text removes a folder, prefix, name or category. Works while a crawl is running.',
    )
    .argument('<feed>', 'Number, address or title of a feed.')
    .option('--title <text>', 'Title of the feed.')
    .option('--folder <name>', 'Folder of the feed.')
    .option('--title-prefix <text>', 'Text to remove from the start of entry titles from now on.')
    .option('--name <word>', 'Short unique name for commands, instead of number or address.')
    .option('--category <word>', "Category. Overrides the publisher's.")
    .option('--strategy <name>', 'Polling strategy.')
    .option('--subscribers <n>', 'Number of subscribers to report to the server.')
    .option('--url <address>', 'New address, with user name and password if needed. Polled at once.')
    .option('--no-login', 'Forget the user name and password.')
    .option('--articles <preference>', 'When to fetch pages: auto, always, never, or "" for the default.')
    .option('--json', 'Print one JSON object.')
    .action(async (word: string, flags: Flags) => edit(io, word, flags))
  withSettings(command, USER_OPTIONS)
  withExamples(
    command,
    'freshet edit 3 --folder News',
    'freshet edit 3 --title-prefix "The Gazette"',
    'freshet edit 3 --name gazette --category politics',
    'freshet edit 3 --strategy fixed:1h',
    'freshet edit 3 --articles always',
    'freshet edit 3 --url https://ada:secret@example.org/feed',
  )
}

async function edit(io: Io, word: string, flags: Flags): Promise<void> {
  const changes: Parameters<Commands['edit']>[1] = {
    ...Object.fromEntries([
      ...LABELS.flatMap((name) => omitUndefined(name, labelFlag(flags, name))),
      ...OTHERS.flatMap((name) => omitUndefined(name, flags[name])),
    ]),
    ...subscribersIn(flags),
    ...(flags.login === false && { credentials: null }),
  }
  if (Object.keys(changes).length === 0)
    throw new InputError(
      'there is nothing to change',
      'give --title, --folder, --title-prefix, --name, --category, --strategy, --subscribers, --url, --no-login or --articles',
    )
  const { strategy: _strategy, articles, ...settings } = flags
  if (typeof flags.name === 'string' && !/^(?:[a-z][\w.-]{0,63})?$/i.test(flags.name))
    throw new InputError(`--name cannot be "${flags.name}"`, 'use letters, digits, ., _ and -, starting with a letter')
  if (articles !== undefined && !PREFERENCES.includes(String(articles)))
    throw new InputError(`--articles cannot be "${articles}"`, 'give auto, always or never, or "" for the default')
  const config = configOf(io, settings)
  const queries = await openQueries(config)
  const feed = await resolveFeed(word, queries).finally(queries.close)
  const commands = await openCommands(config)
  try {
    const exists = await commands.edit(feed.id, changes)
    if (flags.json) printJson(io, { feedId: feed.id, edited: exists })
    else
      io.out(
        plainLine(
          exists ? `changed: feed ${feed.id}, ${changes.title ?? (feed.title || feed.url)}` : `feed ${feed.id} is gone`,
        ),
      )
    if (!exists) throw new Exit(EXIT.failed)
  } finally {
    await commands.close()
  }
}

function omitUndefined(name: string, value: unknown): [string, string][] {
  return typeof value === 'string' ? [[name, value]] : []
}

function subscribersIn({ subscribers }: Flags): { subscribers?: number } {
  if (typeof subscribers !== 'string') return {}
  if (/^[1-9]\d{0,8}$/.test(subscribers)) return { subscribers: Number(subscribers) }
  throw new InputError(`--subscribers cannot be "${subscribers}"`, 'expected a whole number of at least 1')
}
