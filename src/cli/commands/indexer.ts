/** `freshet indexer`: runs the leader tasks of a fleet besides polling. Each task has one leader; other indexers stand by. */
import type { Command } from 'commander'
import { formatStore, openIndexer, optionsOf } from '../../app/index.ts'
import { type Flags, withExamples, withSettings } from '../command.ts'
import type { Io } from '../io.ts'
import { roleSession } from '../role.ts'

export function indexerCommand(command: Command, io: Io): void {
  command
    .description(
      'Run an indexer of a fleet.\nUpdates the search index, groups copies and stories, applies retention and sets the price of a poll. Each task has one leader; if it dies, another indexer takes over.',
    )
    .option('--for <time>', 'Exit after this time, such as 10m.')
    .option('--json', 'Log one JSON object per line.')
    .action(async (flags: Flags) => runIndexer(io, flags))
  withSettings(command, optionsOf('indexer'))
  withExamples(command, 'freshet indexer --store postgres://freshet@db/freshet --queue nats://queue:4222')
}

async function runIndexer(io: Io, flags: Flags): Promise<void> {
  const { config, log, signal, events } = roleSession(io, flags)
  const opened = await openIndexer(config, events.mistake)
  events.watch(opened.probes)
  opened.keeping.onEvent(events.note)
  log.info(`${opened.name}: an indexer of ${formatStore(config.store)}`)
  try {
    await opened.run(signal)
    log.info('stopping: other indexers take over')
  } finally {
    events.close()
    await opened.close()
  }
}
