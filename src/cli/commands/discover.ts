/** `freshet discover`: finds the feeds of a site, with their scores and the evidence. */
import type { Command } from 'commander'
import { discoverFeeds, NET_OPTIONS } from '../../app/index.ts'
import { describeFailure, failureHint } from '../../model/index.ts'
import { configOf, type Flags, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { count, type Io, plainLine, printJson } from '../io.ts'

export function discoverCommand(command: Command, io: Io): void {
  command
    .description(
      'Find the feeds of a site, else its sitemap.\nShows each feed with its score and the evidence for it. Adds nothing.',
    )
    .argument('<address>', 'Address of a site or feed.')
    .option('--json', 'Print one JSON object.')
    .action(async (word: string, flags: Flags) => discover(io, word, flags))
  withSettings(command, ['hostGap', ...NET_OPTIONS])
  withExamples(
    command,
    'freshet discover https://example.org',
    'freshet discover example.org --json | jq .feeds[0].url',
  )
}

async function discover(io: Io, word: string, flags: Flags): Promise<void> {
  const { requests, feeds, failure } = await discoverFeeds(configOf(io, flags), word, io.interrupted)
  if (flags.json) {
    const found = feeds.map(({ reading, ...feed }) => ({ ...feed, ...reading.facts, entries: reading.entries.length }))
    printJson(io, { feeds: found, requests, ...(failure && { failure: describeFailure(failure) }) })
  } else {
    for (const { url, score, why, sameListAs, reading } of feeds) {
      io.out(`${String(Math.round(score)).padStart(5)}  ${plainLine(url)}`)
      io.out(
        `       ${plainLine(`${reading.facts.title ?? 'untitled'}; ${reading.facts.format}, ${count(reading.entries.length, 'entry', 'entries')}`)}`,
      )
      io.out(`       ${plainLine(sameListAs ? `the same list as ${sameListAs}` : why.join(', '))}`)
    }
    if (failure) io.out(plainLine(`no feed: ${describeFailure(failure)}`))
    const hint = failure && failureHint(failure)
    if (hint) io.note(`hint: ${plainLine(hint)}`)
    io.note(`\n${count(requests.length, 'request')}:`)
    for (const { url, via, result } of requests) {
      const outcome = result.kind === 'failed' ? describeFailure(result.failure) : `a ${result.kind}`
      io.note(`  ${plainLine(`${url} (${via}): ${outcome}`)}`)
    }
  }
  if (feeds.length === 0) throw new Exit(EXIT.failed)
}
