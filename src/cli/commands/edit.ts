/** `freshet edit`: what a person may change of a feed. */
import type { Command } from 'commander'
import { type Commands, InputError, openCommands, openQueries } from '../../app/index.ts'
import { configOf, type Flags, PERSONAL_OPTIONS, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { feedMeant } from '../feed-word.ts'
import { type Io, plainLine, printJson } from '../io.ts'
import { labelIn } from '../label.ts'

const PREFERENCES = ['auto', 'always', 'never', '']
const LABELS = ['title', 'folder', 'titlePrefix', 'name', 'category'] as const
const OTHERS = ['strategy', 'url', 'articles'] as const

export function editCommand(command: Command, io: Io): void {
  command
    .description(
      'Changes a feed. An empty text takes a folder, prefix, name or category away. If a crawl is running on the store, it is asked to do it.',
    )
    .argument('<feed>', 'the number, address or title of a feed')
    .option('--title <text>', 'what it is called')
    .option('--folder <name>', 'the folder it is in')
    .option('--title-prefix <text>', "what is taken off the front of its entries' titles from now on")
    .option('--name <word>', 'by which it is known, as 3 or its address would be; no other feed has the same')
    .option('--category <word>', 'what it is about, in place of what its publisher says')
    .option('--strategy <name>', 'how its next poll is guessed')
    .option('--subscribers <n>', 'for how many people it is read; told to its server')
    .option('--url <address>', 'where it is now, with name and password if it needs them; it is polled there at once')
    .option('--no-login', 'its name and password are forgotten')
    .option(
      '--articles <preference>',
      'whether its entries\' pages are fetched: auto, always or never; "" as the setting says',
    )
    .option('--json', 'as one JSON object')
    .action(async (word: string, flags: Flags) => edit(io, word, flags))
  withSettings(command, PERSONAL_OPTIONS)
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
      ...LABELS.flatMap((name) => omitUndefined(name, labelIn(flags, name))),
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
    throw new InputError(`--name cannot be "${flags.name}"`, 'letters, digits, ., _ and -, the first a letter')
  if (articles !== undefined && !PREFERENCES.includes(String(articles)))
    throw new InputError(
      `--articles cannot be "${articles}"`,
      'give auto, always or never, or "" for the general setting',
    )
  const config = configOf(io, settings)
  const queries = await openQueries(config)
  const feed = await feedMeant(word, queries).finally(queries.close)
  const commands = await openCommands(config)
  try {
    const found = await commands.edit(feed.id, changes)
    if (flags.json) printJson(io, { feedId: feed.id, edited: found })
    else
      io.out(plainLine(found ? `changed: feed ${feed.id}, ${changes.title ?? (feed.title || feed.url)}` : 'it is gone'))
    if (!found) throw new Exit(EXIT.failed)
  } finally {
    await commands.close()
  }
}

function omitUndefined(name: string, given: unknown): [string, string][] {
  return typeof given === 'string' ? [[name, given]] : []
}

function subscribersIn({ subscribers }: Flags): { subscribers?: number } {
  if (typeof subscribers !== 'string') return {}
  if (/^[1-9]\d{0,8}$/.test(subscribers)) return { subscribers: Number(subscribers) }
  throw new InputError(`--subscribers cannot be "${subscribers}"`, 'expected a whole number from 1 on')
}
