/** `freshet mend`: takes out of the library what a crash left there, and says how the library is. */
import type { Command } from 'commander'
import { mendStoreLibrary } from '../../app/index.ts'
import { configOf, type Flags, withExamples, withSettings } from '../command.ts'
import { count, type Io } from '../io.ts'
import { sinceOf } from './entries.ts'

/** A month and a day of them; more go in the next walk. */
const MOST_HOURS = 24 * 32

export function mendCommand(command: Command, io: Io): void {
  command
    .description(
      'Goes through what the library has kept since then, and takes out what the store knows nothing of: texts that were kept\nwhen the crawl was killed before it could record them. They do no harm but take room. Works beside a running crawl.',
    )
    .option('--since <time>', 'begin with what was kept then, such as 7d or 2026-01-31', '7d')
    .action(async (flags: Flags) => mend(io, flags))
  withSettings(command, ['store'])
  withExamples(
    command,
    'freshet mend --library cassandra://10.0.0.5:9042/freshet',
    'freshet mend --library cassandra://10.0.0.5:9042/freshet --since 31d',
  )
}

async function mend(io: Io, flags: Flags): Promise<void> {
  const since = sinceOf(String(flags.since), io.now())
  const { health, looked, dropped, nextHour, isDone } = await mendStoreLibrary(configOf(io, flags), since, MOST_HOURS)
  io.out(`the library: ${health}`)
  io.out(`looked at ${count(looked, 'text', 'texts')}, took out ${dropped} that nobody knows`)
  if (!isDone) io.out(`there is more: go on with --since ${new Date(nextHour).toISOString()}`)
}
