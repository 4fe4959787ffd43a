/** `freshet import`: imports lists of feeds. */
import type { Command } from 'commander'
import { openCommands, readAddresses } from '../../app/index.ts'
import { configOf, type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { count, type Io, plainLine, printJson } from '../io.ts'

const MAX_SHOWN = 20

export function importCommand(command: Command, io: Io): void {
  command
    .description(
      'Import feeds from OPML, NDJSON or a list.\nAdds the feeds without fetching them yet. Reads OPML, the NDJSON of "freshet export feeds", or one address per line.',
    )
    .argument('<file...>', 'Files, or - for standard input.')
    .option('--json', 'Print one JSON object.')
    .action(async (files: string[], flags: Flags) => importFeeds(io, files, flags))
  withSettings(command, [...USER_OPTIONS, 'strategy'])
  withExamples(command, 'freshet import feeds.opml', 'freshet export feeds | freshet import - --store copy.db')
}

async function importFeeds(io: Io, files: string[], flags: Flags): Promise<void> {
  const config = configOf(io, flags)
  const addresses = await readAddresses(files, io.stdin)
  const commands = await openCommands(config)
  try {
    const results = await commands.subscribe(addresses)
    const refused = results.filter((one) => one.kind === 'refused')
    const added = results.filter((one) => one.kind !== 'refused' && one.added).length
    const existing = results.length - added - refused.length
    for (const { url, reason } of refused.slice(0, MAX_SHOWN)) io.note(plainLine(`refused: ${url}: ${reason}`))
    if (flags.json) printJson(io, { added, known: existing, refused: refused.length })
    else io.out(`${count(added, 'address', 'addresses')} added, ${existing} known already, ${refused.length} refused`)
    if (added > 0 && !commands.isRunning) io.note('next: freshet run')
    if (refused.length > 0) throw new Exit(EXIT.failed)
  } finally {
    await commands.close()
  }
}
