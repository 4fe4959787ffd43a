/** `freshet audit`: how we behave towards publishers, by our own log. */
import type { Command } from 'commander'
import { auditOf, openForReading } from '../../app/index.ts'
import { configOf, type Flags, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { feedMeant } from '../feed-word.ts'
import { count, type Io, plainLine, printJson } from '../io.ts'

const SHOWN = 10

export function auditCommand(command: Command, io: Io): void {
  command
    .description(
      'Judges the crawler by its log of polls and the settings in force: conditional requests, gaps, rests that were asked for, traffic saved.',
    )
    .argument('[feed]', 'only this one: its number, address or title')
    .option('--json', 'as one JSON object')
    .action(async (word: string | undefined, flags: Flags) => audit(io, word, flags))
  withSettings(command, ['store', 'minInterval'])
  withExamples(command, 'freshet audit', 'freshet audit 3', 'freshet audit --json | jq .broken')
}

async function audit(io: Io, word: string | undefined, flags: Flags): Promise<void> {
  const config = configOf(io, flags)
  const opened = await openForReading(config)
  try {
    const only = word === undefined ? undefined : (await feedMeant(word, opened)).feed.id
    const { feeds, polls, judgements, broken } = await auditOf(opened, config, only)
    const named = broken.map(({ feed, judgements: rules }) => ({ feedId: feed.id, url: feed.url, rules }))
    if (flags.json) printJson(io, { feeds, polls, judgements, broken: named })
    else {
      io.out(`${count(polls, 'poll')} of ${count(feeds, 'feed')} in the log`)
      for (const { kept, of, words } of judgements) io.out(`${`${kept} of ${of}`.padStart(16)}  ${words}`)
      if (broken.length === 0) io.out('no rule was broken')
      else io.out(`${count(broken.length, 'feed')} for which a rule was broken, worst first:`)
      for (const { feed, judgements: rules } of broken.slice(0, SHOWN)) {
        io.out(plainLine(`${feed.id}  ${feed.title || feed.url}`))
        for (const { kept, of, words } of rules) io.out(`${`${kept} of ${of}`.padStart(16)}  ${words}`)
      }
      if (broken.length > SHOWN) io.out(`and ${broken.length - SHOWN} more: freshet audit --json names them all`)
    }
    if (broken.length > 0) throw new Exit(EXIT.failed)
  } finally {
    await opened.close()
  }
}
