/** `freshet edit`: changes feeds. */
import type { Command } from 'commander'
import type { FeedShape } from '../../api/index.ts'
import { type Commands, InputError, openCommands, openQueries } from '../../app/index.ts'
import { configOf, type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { addFetchingOptions, FETCHING_FLAGS, type FlagsWithLists, fetchingIn } from '../fetching-flags.ts'
import { type Io, plainLine, printJson } from '../io.ts'
import { labelFlag } from '../label.ts'
import { resolveFeed } from '../resolve-feed.ts'

const PREFERENCES = ['auto', 'always', 'never', '']
const LABELS = ['title', 'folder', 'titlePrefix', 'name', 'category'] as const
const OTHERS = ['strategy', 'url', 'articles'] as const

export function editCommand(command: Command, io: Io): void {
  command
    .description(
      'Change the title, folder, strategy or address of feeds.\nAn empty text removes a folder, prefix, name or category. Works while a crawl is running.',
    )
    .argument('<feed...>', 'Number, address or title of a feed.')
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
    .option('--json', 'Print one JSON object per line.')
  addFetchingOptions(command)
  command.action(async (words: string[], flags: FlagsWithLists) => edit(io, words, flags))
  withSettings(command, USER_OPTIONS)
  withExamples(
    command,
    'freshet edit 3 --folder News',
    'freshet edit 3 4 5 --folder News --strategy tide',
    'freshet edit 3 --title-prefix "The Gazette"',
    'freshet edit 3 --name gazette --category politics',
    'freshet edit 3 --strategy fixed:1h',
    'freshet edit 3 --articles always',
    'freshet edit 3 --url https://ada:secret@example.org/feed',
    'freshet edit 3 --header "X-Key: secret" --cookies @cookies.txt',
    'freshet edit 3 --content .article-body --remove ".ad, aside"',
    'freshet edit 3 --rewrite "title/^Ad: //" "link|[?&]utm_[^&]*||"',
  )
}

async function edit(io: Io, words: string[], given: FlagsWithLists): Promise<void> {
  const fetching = fetchingIn(given)
  const flags = Object.fromEntries(Object.entries(given).filter(([name]) => !FETCHING_FLAGS.includes(name))) as Flags
  const changes: Parameters<Commands['edit']>[1] = {
    ...Object.fromEntries([
      ...LABELS.flatMap((name) => omitUndefined(name, labelFlag(flags, name))),
      ...OTHERS.flatMap((name) => omitUndefined(name, flags[name])),
    ]),
    ...subscribersIn(flags),
    ...(flags.login === false && { credentials: null }),
    ...(fetching !== undefined && { fetching }),
  }
  if (Object.keys(changes).length === 0)
    throw new InputError(
      'there is nothing to change',
      'give --title, --folder, --title-prefix, --name, --category, --strategy, --subscribers, --url, --no-login, --articles or a setting for fetching',
    )
  const { strategy: _strategy, articles, ...settings } = flags
  if (typeof flags.name === 'string' && !/^(?:[a-z][\w.-]{0,63})?$/i.test(flags.name))
    throw new InputError(`--name cannot be "${flags.name}"`, 'use letters, digits, ., _ and -, starting with a letter')
  if (articles !== undefined && !PREFERENCES.includes(String(articles)))
    throw new InputError(`--articles cannot be "${articles}"`, 'give auto, always or never, or "" for the default')
  const ofOneFeed = ['title', 'name', 'url'].find((name) => flags[name])
  if (words.length > 1 && ofOneFeed)
    throw new InputError(`several feeds cannot have the same ${ofOneFeed}`, `give --${ofOneFeed} with one feed`)
  const config = configOf(io, settings)
  const queries = await openQueries(config)
  const feeds: FeedShape[] = []
  try {
    for (const word of words) feeds.push(await resolveFeed(word, queries))
  } finally {
    await queries.close()
  }
  const commands = await openCommands(config)
  let missing = 0
  try {
    for (const feed of feeds) {
      const exists = await commands.edit(feed.id, changes)
      if (!exists) missing++
      const what = exists
        ? `changed: feed ${feed.id}, ${changes.title ?? (feed.title || feed.url)}`
        : `feed ${feed.id} is gone`
      if (flags.json) printJson(io, { feedId: feed.id, edited: exists })
      else io.out(plainLine(what))
    }
  } finally {
    await commands.close()
  }
  if (missing > 0) throw new Exit(EXIT.failed)
}

function omitUndefined(name: string, value: unknown): [string, string][] {
  return typeof value === 'string' ? [[name, value]] : []
}

function subscribersIn({ subscribers }: Flags): { subscribers?: number } {
  if (typeof subscribers !== 'string') return {}
  if (/^[1-9]\d{0,8}$/.test(subscribers)) return { subscribers: Number(subscribers) }
  throw new InputError(`--subscribers cannot be "${subscribers}"`, 'expected a whole number of at least 1')
}
