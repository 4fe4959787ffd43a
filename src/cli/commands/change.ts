/** `freshet pause`, `resume` and `remove`. */
import type { Command } from 'commander'
import type { FeedShape } from '../../api/index.ts'
import { type Commands, openCommands, openQueries } from '../../app/index.ts'
import { configOf, type Flags, STORE_OPTIONS, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { type Io, plainLine, printJson } from '../io.ts'
import { resolveFeed } from '../resolve-feed.ts'

const CHANGES = {
  pause: { done: 'paused', about: 'Stop polling a feed. Its entries stay.' },
  resume: {
    done: 'resumed',
    about: 'Poll a paused feed again. Also works for feeds that are gone.',
  },
  remove: { done: 'removed', about: 'Remove a feed, its entries and its poll log.' },
}

export function changeCommand(command: Command, io: Io): void {
  const name = command.name() as keyof typeof CHANGES
  const { done, about } = CHANGES[name]
  command
    .description(`${about}\nWorks while a crawl is running.`)
    .argument('<feed...>', 'Number, address or title of a feed.')
    .option('--json', 'Print one JSON object per line.')
    .action(async (words: string[], flags: Flags) =>
      change(io, words, flags, (commands, id) => commands[name](id), done),
    )
  withSettings(command, STORE_OPTIONS)
  withExamples(command, `freshet ${name} 3`, `freshet ${name} https://example.org/feed.xml`)
}

async function change(
  io: Io,
  words: string[],
  flags: Flags,
  apply: (commands: Commands, feedId: number) => Promise<boolean>,
  done: string,
): Promise<void> {
  const config = configOf(io, flags)
  const queries = await openQueries(config)
  const targets: FeedShape[] = []
  try {
    for (const word of words) targets.push(await resolveFeed(word, queries))
  } finally {
    await queries.close()
  }
  const commands = await openCommands(config)
  let missing = 0
  try {
    for (const feed of targets) {
      const exists = await apply(commands, feed.id)
      if (!exists) missing++
      if (flags.json) printJson(io, { feedId: feed.id, url: feed.url, [done]: exists })
      else
        io.out(
          plainLine(
            exists ? `${done}: feed ${feed.id}, ${feed.title || feed.url}` : `feed ${feed.id} was gone already`,
          ),
        )
    }
  } finally {
    await commands.close()
  }
  if (missing > 0) throw new Exit(EXIT.failed)
}
