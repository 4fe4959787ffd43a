/** `freshet keeper`: what is done for a fleet beside its polls. One at a time does each thing; the others stand by. */
import type { Command } from 'commander'
import { openKeeper, optionsOf, shownStore } from '../../app/index.ts'
import { type Flags, withExamples, withSettings } from '../command.ts'
import type { Io } from '../io.ts'
import { roleSession } from '../role.ts'

export function keeperCommand(command: Command, io: Io): void {
  command
    .description(
      'Keeps house for a fleet: puts entries into the search index, finds copies and stories, forgets what is too old, and sets the price of a poll. Of several keepers one does each of these at a time; when it dies, another goes on.',
    )
    .option('--for <time>', 'end after this time, such as 10m')
    .option('--json', 'the log as one JSON object a line')
    .action(async (flags: Flags) => keeper(io, flags))
  withSettings(command, optionsOf('keeper'))
  withExamples(command, 'freshet keeper --store postgres://freshet@db/freshet --queue nats://queue:4222')
}

async function keeper(io: Io, flags: Flags): Promise<void> {
  const { config, log, until, events } = roleSession(io, flags)
  const opened = await openKeeper(config, events.mistake)
  events.watch(opened.probes)
  opened.keeping.onEvent(events.note)
  log.info(`${opened.name}: a keeper of ${shownStore(config.store)}`)
  try {
    await opened.run(until)
    log.info('stopping: others see to it from now on')
  } finally {
    events.close()
    await opened.close()
  }
}
