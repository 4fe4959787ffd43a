/** `freshet poll`: look at a feed now, as politely as ever. */
import type { Command } from 'commander'
import { openCommands, openQueries } from '../../app/index.ts'
import { CRAWL_OPTIONS, configOf, type Flags, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { feedMeant } from '../feed-word.ts'
import { type Io, plainLine, printJson, timeAgo } from '../io.ts'

export function pollCommand(command: Command, io: Io): void {
  command
    .description(
      'Polls a feed at once, with a conditional request, unless it was polled a moment ago or its server asked for a rest: then it says until when, and ends with 1, as when the poll fails.\nIf a crawl is running on the store, it is asked to do it; in a fleet the feed is then due, and whoever owns it polls it a moment later.',
    )
    .argument('<feed>', 'the number, address or title of a feed')
    .option('--json', 'as one JSON object')
    .action(async (word: string, flags: Flags) => poll(io, word, flags))
  withSettings(command, CRAWL_OPTIONS)
  withExamples(command, 'freshet poll 3', 'freshet poll https://example.org/feed.xml --json')
}

async function poll(io: Io, word: string, flags: Flags): Promise<void> {
  const config = configOf(io, flags)
  const queries = await openQueries(config)
  const feed = await feedMeant(word, queries).finally(queries.close)
  const commands = await openCommands(config)
  try {
    const polled = await commands.poll(feed.id, io.interrupted)
    if (!polled) throw new Exit(EXIT.failed)
    if (flags.json) printJson(io, polled)
    const name = feed.title || feed.url
    if (polled.kind === 'later') {
      const reason = polled.why ? `${polled.why}; ` : ''
      if (!flags.json) io.out(plainLine(`${name}: ${reason}it is due ${timeAgo(polled.dueAt, io.now())}`))
      if (polled.why) throw new Exit(EXIT.failed)
      return
    }
    const { result } = polled.poll
    const words =
      result.kind === 'failed'
        ? result.trouble.words
        : result.kind === 'read'
          ? `${result.fresh} new, ${result.changed} changed of ${result.window}`
          : 'not modified'
    if (!flags.json) io.out(plainLine(`${name}: ${words}`))
    if (result.kind === 'failed') throw new Exit(EXIT.failed)
  } finally {
    await commands.close()
  }
}
