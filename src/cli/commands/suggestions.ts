/** `freshet suggestions`: lists sites that the user's feeds link to, and feeds that publish stories first. */
import type { Command } from 'commander'
import type { SuggestionsShape } from '../../api/index.ts'
import { openQueries } from '../../app/index.ts'
import { formatDuration } from '../../model/index.ts'
import { configOf, type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { count, type Io, printJson, printTable } from '../io.ts'

export function suggestionsCommand(command: Command, io: Io): void {
  command
    .description(
      'List sites and feeds that you could follow.\nSites that your feeds link to, and feeds that often publish a story before yours.',
    )
    .option('--json', 'Print one JSON object.')
    .action(async (flags: Flags) => suggestions(io, flags))
  withSettings(command, USER_OPTIONS)
  withExamples(command, 'freshet suggestions', 'freshet suggestions --json | jq -r .linked[].url')
}

type Linked = SuggestionsShape['linked'][number]
type First = SuggestionsShape['first'][number]

async function suggestions(io: Io, flags: Flags): Promise<void> {
  const queries = await openQueries(configOf(io, flags))
  const found = await queries.suggestions().finally(queries.close)
  if (flags.json) return printJson(io, found)
  const { linked, first, entries } = found
  if (linked.length === 0 && first.length === 0)
    return io.note(`no suggestions in the links of ${count(entries, 'entry', 'entries')}`)
  if (linked.length > 0)
    printTable(io, linked, [
      { title: 'site', of: ({ url }: Linked) => url, shrinks: true },
      { title: 'linked by', of: ({ feeds }: Linked) => count(feeds, 'feed', 'feeds') },
      { title: 'for example in', of: ({ examples }: Linked) => examples[0]?.title || 'untitled', shrinks: true },
    ])
  if (first.length > 0) {
    if (linked.length > 0) io.out('')
    printTable(io, first, [
      { title: 'feed', of: ({ title }: First) => title, shrinks: true },
      { title: 'first in', of: ({ stories }: First) => count(stories, 'story', 'stories') },
      { title: 'earlier by', of: ({ leadMs }: First) => formatDuration(leadMs) },
      { title: 'address', of: ({ url }: First) => url, shrinks: true },
    ])
  }
  io.note('follow one with freshet add <address>')
}
