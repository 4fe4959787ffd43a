/** `freshet content gc`: removes unreferenced texts from the content store, and reports its health. */
import type { Command } from 'commander'
import { collectContentGarbage } from '../../app/index.ts'
import { configOf, type Flags, withExamples, withSettings } from '../command.ts'
import { count, type Io } from '../io.ts'
import { parseTimeFlag } from './entries.ts'

/** 32 days per run. The next run continues after them. */
const MAX_HOURS = 24 * 32

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
  const since = parseTimeFlag(String(flags.since), io.now())
  const { health, checked, dropped, nextHour, isDone } = await collectContentGarbage(
    configOf(io, flags),
    since,
    MAX_HOURS,
  )
  io.out(`content store: ${health}`)
  io.out(`checked ${count(checked, 'text', 'texts')}, removed ${dropped} unreferenced`)
  if (!isDone) io.out(`not finished: continue with --since ${new Date(nextHour).toISOString()}`)
}
