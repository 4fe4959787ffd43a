/** `freshet controller`: decides what is polled and records what came of it, in a fleet; any number of them share the work. */
import type { Command } from 'commander'
import { openController, optionsOf, shownStore } from '../../app/index.ts'
import { type Flags, withExamples, withSettings } from '../command.ts'
import { count, type Io } from '../io.ts'
import { roleSession } from '../role.ts'

export function controllerCommand(command: Command, io: Io): void {
  command
    .description(
      'One of the controllers of a fleet: owns its share of all hosts, sends what is due to terminals over NATS, and records what comes back in PostgreSQL. One that dies is replaced by the others within fifteen seconds.',
    )
    .option('--for <time>', 'end after this time, such as 10m')
    .option('--json', 'the log as one JSON object a line')
    .action(async (flags: Flags) => controller(io, flags))
  withSettings(command, optionsOf('controller'))
  withExamples(
    command,
    'freshet controller --store postgres://freshet@db/freshet --queue nats://queue:4222',
    'FRESHET_STORE=postgres://freshet@db/freshet FRESHET_QUEUE=nats://queue:4222 freshet controller',
  )
}

async function controller(io: Io, flags: Flags): Promise<void> {
  const { config, log, until, events } = roleSession(io, flags)
  for (let end = 'clock-set-back'; end === 'clock-set-back'; ) {
    const opened = await openController(config, events.mistake)
    events.watch(opened.probes)
    opened.crawler.onEvent(events.note)
    log.info(`${opened.name}: a controller on ${shownStore(config.store)}`)
    try {
      end = await opened.run(until)
      log.info('stopping: what is out is left to whoever has its buckets next')
    } finally {
      await opened.close()
    }
    const { polls, fresh } = opened.crawler.activity().totals
    log.info(`${count(polls, 'poll')}, ${count(fresh, 'new entry', 'new entries')}`)
  }
  events.close()
}
