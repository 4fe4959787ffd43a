/** `freshet poll`: polls a feed now, within the politeness rules. */
import type { Command } from 'commander'
import { openCommands, openQueries } from '../../app/index.ts'
import { configOf, FETCH_OPTIONS, type Flags, STORE_OPTIONS, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { type Io, plainLine, printJson, timeAgo } from '../io.ts'
import { resolveFeed } from '../resolve-feed.ts'

export function pollCommand(command: Command, io: Io): void {
  command
    .description(
      'Poll a feed now.\nSends a conditional request, unless the feed was polled a moment ago or its server asked to wait. Exits with 1 if the poll fails or must wait.\nIn a fleet the feed becomes due, and its controller polls it a moment later.',
    )
    .argument('<feed>', 'Number, address or title of a feed.')
    .option('--json', 'Print one JSON object.')
    .action(async (word: string, flags: Flags) => poll(io, word, flags))
  withSettings(command, [...STORE_OPTIONS, ...FETCH_OPTIONS])
  withExamples(command, 'freshet poll 3', 'freshet poll https://example.org/feed.xml --json')
}

async function poll(io: Io, word: string, flags: Flags): Promise<void> {
  const config = configOf(io, flags)
  const queries = await openQueries(config)
  const feed = await resolveFeed(word, queries).finally(queries.close)
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
