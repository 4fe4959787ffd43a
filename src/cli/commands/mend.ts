/** `freshet content gc`: removes texts that no entry refers to from the content store, and reports its health. */
import type { Command } from 'commander'
import { mendStoreLibrary } from '../../app/index.ts'
import { configOf, type Flags, withExamples, withSettings } from '../command.ts'
import { count, type Io } from '../io.ts'
import { sinceOf } from './entries.ts'

/** A month and a day; the next run continues after them. */
const MOST_HOURS = 24 * 32

export function collectGarbageCommand(content: Command, io: Io): void {
  const command = content
    .command('gc')
    .summary('Remove unreferenced texts')
    .description(
      'Remove unreferenced texts from the content store.\nA crash can leave texts that no entry refers to. They only take space. Works while a crawl is running.',
    )
    .option('--since <time>', 'Check texts stored since then, such as 7d or 2026-01-31.', '7d')
    .action(async (flags: Flags) => collectGarbage(io, flags))
  withSettings(command, ['store'])
  withExamples(
    command,
    'freshet content gc --content-store cassandra://10.0.0.5:9042/freshet',
    'freshet content gc --content-store cassandra://10.0.0.5:9042/freshet --since 31d',
  )
}

async function collectGarbage(io: Io, flags: Flags): Promise<void> {
  const since = sinceOf(String(flags.since), io.now())
  const { health, looked, dropped, nextHour, isDone } = await mendStoreLibrary(configOf(io, flags), since, MOST_HOURS)
  io.out(`content store: ${health}`)
  io.out(`checked ${count(looked, 'text', 'texts')}, removed ${dropped} unreferenced`)
  if (!isDone) io.out(`not finished: continue with --since ${new Date(nextHour).toISOString()}`)
}
