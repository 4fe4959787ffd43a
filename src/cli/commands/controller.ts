/** `freshet controller`: schedules polls and records results in a fleet. Several controllers share the work. */
import type { Command } from 'commander'
import { formatStore, openController, optionsOf } from '../../app/index.ts'
import { type Flags, withExamples, withSettings } from '../command.ts'
import { count, type Io } from '../io.ts'
import { roleSession } from '../role.ts'

export function controllerCommand(command: Command, io: Io): void {
  command
    .description(
      'Run a controller of a fleet.\nOwns a share of all hosts, sends due tasks to fetchers over NATS and records the results in PostgreSQL. If one dies, others take over within 15 seconds.',
    )
    .option('--for <time>', 'Exit after this time, such as 10m.')
    .option('--json', 'Log one JSON object per line.')
    .action(async (flags: Flags) => runController(io, flags))
  withSettings(command, optionsOf('controller'))
  withExamples(
    command,
    'freshet controller --store postgres://freshet@db/freshet --queue nats://queue:4222',
    'FRESHET_STORE=postgres://freshet@db/freshet FRESHET_QUEUE=nats://queue:4222 freshet controller',
  )
}

async function runController(io: Io, flags: Flags): Promise<void> {
  const { config, log, signal, events } = roleSession(io, flags)
  for (let end = 'clock-set-back'; end === 'clock-set-back'; ) {
    const opened = await openController(config, events.mistake)
    events.watch(opened.probes)
    opened.crawler.onEvent(events.note)
    log.info(`${opened.name}: a controller on ${formatStore(config.store)}`)
    try {
      end = await opened.run(signal)
      log.info('stopping: tasks in flight go to the next owner of their buckets')
    } finally {
      await opened.close()
    }
    const { polls, fresh } = opened.crawler.activity().totals
    log.info(`${count(polls, 'poll')}, ${count(fresh, 'new entry', 'new entries')}`)
  }
  events.close()
}
