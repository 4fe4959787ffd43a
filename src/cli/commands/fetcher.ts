/** `freshet fetcher`: fetches feeds and pages for the controllers of a fleet. It needs no database. */
import type { Command } from 'commander'
import { openFetcher, optionsOf } from '../../app/index.ts'
import { type Flags, withExamples, withSettings } from '../command.ts'
import { count, type Io } from '../io.ts'
import { roleSession } from '../role.ts'

export function fetcherCommand(command: Command, io: Io): void {
  command
    .description(
      'Run a fetcher of a fleet.\nTakes tasks from NATS, fetches and parses feeds and pages, and returns the results. Needs no database; start and stop as many as you like.',
    )
    .option('--for <time>', 'Exit after this time, such as 10m.')
    .option('--json', 'Log one JSON object per line.')
    .action(async (flags: Flags) => runFetcher(io, flags))
  withSettings(command, optionsOf('fetcher'))
  withExamples(
    command,
    'freshet fetcher --queue nats://queue:4222 --concurrency 64',
    'freshet fetcher --queue tls://fetcher:secret@queue:4222 --region north',
  )
}

async function runFetcher(io: Io, flags: Flags): Promise<void> {
  const { config, log, signal, events } = roleSession(io, flags)
  const opened = await openFetcher(config, events.mistake)
  events.watch(opened.probes)
  log.info(`${opened.name}: a fetcher with ${count(config.concurrency, 'slot')}`)
  await opened.run(signal).finally(events.close)
  log.info(`${count(opened.performed(), 'task')} performed`)
}
