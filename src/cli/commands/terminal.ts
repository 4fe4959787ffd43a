/** `freshet terminal`: goes out to the web for the controllers of a fleet; any number, anywhere, without a database. */
import type { Command } from 'commander'
import { openTerminal, optionsOf } from '../../app/index.ts'
import { type Flags, withExamples, withSettings } from '../command.ts'
import { count, type Io } from '../io.ts'
import { roleSession } from '../role.ts'

export function terminalCommand(command: Command, io: Io): void {
  command
    .description(
      'One of the terminals of a fleet: takes tasks from NATS as it has hands for them, fetches and reads, and sends back what came of it. It needs no database and remembers nothing that matters; stop and start as many as you like.',
    )
    .option('--for <time>', 'end after this time, such as 10m')
    .option('--json', 'the log as one JSON object a line')
    .action(async (flags: Flags) => terminal(io, flags))
  withSettings(command, optionsOf('terminal'))
  withExamples(
    command,
    'freshet terminal --queue nats://queue:4222 --concurrency 64',
    'freshet terminal --queue tls://terminal:secret@queue:4222 --region north',
  )
}

async function terminal(io: Io, flags: Flags): Promise<void> {
  const { config, log, until, events } = roleSession(io, flags)
  const opened = await openTerminal(config, events.mistake)
  events.watch(opened.probes)
  log.info(`${opened.name}: a terminal with ${count(config.concurrency, 'hand')}`)
  await opened.run(until).finally(events.close)
  log.info(`${count(opened.performed(), 'task')} performed`)
}
