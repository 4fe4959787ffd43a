/** `freshet serve`: serves the page, the API and the WebSub endpoint of a fleet. */
import type { Command } from 'commander'
import { formatStore, openFleetServer, optionsOf, startServer } from '../../app/index.ts'
import { type Flags, withExamples, withSettings } from '../command.ts'
import type { Io } from '../io.ts'
import { roleSession } from '../role.ts'

export function serveCommand(command: Command, io: Io): void {
  command
    .description(
      'Serve the page and the API of a fleet.\nAlso receives WebSub pushes. Stateless: run as many as you like behind one address.',
    )
    .option('--for <time>', 'Exit after this time, such as 10m.')
    .option('--json', 'Log one JSON object per line.')
    .action(async (flags: Flags) => serve(io, flags))
  withSettings(command, optionsOf('serve'))
  withExamples(
    command,
    'freshet serve --store postgres://freshet@db/freshet --queue nats://queue:4222',
    'freshet serve --host 0.0.0.0 --port 8080 --public-url https://news.example.org',
  )
}

async function serve(io: Io, flags: Flags): Promise<void> {
  const { config, log, signal, events } = roleSession(io, flags)
  const opened = await openFleetServer(config, events.mistake)
  events.watch(opened.probes)
  try {
    const server = await startServer(config, opened, log)
    log.info(`${opened.name}: the page and the API of ${formatStore(config.store)} are at ${server.url}`)
    try {
      await opened.run(signal)
      log.info('stopping')
    } finally {
      await server.close()
    }
  } finally {
    events.close()
    await opened.close()
  }
}
