/** `freshet digest`: prints the digest that the user would get now. */
import type { Command } from 'commander'
import { openQueries } from '../../app/index.ts'
import { configOf, type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { type Io, plainLine, printJson } from '../io.ts'

export function digestCommand(command: Command, io: Io): void {
  command
    .description(
      'Show the digest that you would get now.\nChoose when you get digests on the page: Dashboard, Notifications.',
    )
    .option('--preview', 'Print it (default). Nothing is sent.')
    .option('--html', 'Print it as HTML, as in e-mails.')
    .option('--json', 'Print one JSON object.')
    .action((flags: Flags) => digest(io, flags))
  withSettings(command, USER_OPTIONS)
  withExamples(command, 'freshet digest --preview', 'freshet digest --html > digest.html')
}

async function digest(io: Io, flags: Flags): Promise<void> {
  const queries = await openQueries(configOf(io, flags))
  const found = await queries.digestPreview().finally(queries.close)
  if (flags.json) return printJson(io, { ...(found && { digest: found }) })
  if (!found) return io.note('nothing new')
  if (flags.html) return io.out(found.html)
  io.out(plainLine(found.subject))
  io.out('')
  for (const line of found.text.split('\n')) io.out(plainLine(line))
}
