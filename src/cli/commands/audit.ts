/** `freshet audit`: how we behave towards publishers, by our own log, and by the archive of a run. */
import type { Command } from 'commander'
import {
  type Audit,
  type AuditVerdict,
  auditOf,
  type Config,
  isAnyBroken,
  openForReading,
  openQueries,
} from '../../app/index.ts'
import type { FeedId } from '../../model/index.ts'
import { configOf, type Flags, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { feedMeant } from '../feed-word.ts'
import { count, type Io, plainLine, printJson } from '../io.ts'

const SHOWN = 10

export function auditCommand(command: Command, io: Io): void {
  command
    .description(
      'Check the poll log against the politeness rules.\nWith --archive also checks the archived requests, such as robots.txt, pages and feed discovery. Exits with 1 if a rule was broken.\nThe rules: docs/politeness-rules.md',
    )
    .argument('[feed]', 'Only this feed: its number, address or title.')
    .option('--unverified', 'List the rules that cannot be checked, and why.')
    .option('--json', 'Print one JSON object.')
    .action(async (word: string | undefined, flags: Flags) => audit(io, word, flags))
  withSettings(command, ['store', 'minInterval', 'hostGap', 'hostGapExcept', 'allowNetworks', 'archive'])
  withExamples(
    command,
    'freshet audit',
    'freshet audit 3',
    'freshet audit --archive warc --unverified',
    'freshet audit --json | jq .broken',
  )
}

async function audit(io: Io, word: string | undefined, flags: Flags): Promise<void> {
  const config = configOf(io, flags)
  const only = word === undefined ? undefined : await feedIn(config, word)
  const opened = await openForReading(config)
  try {
    const wishes = { ...(only !== undefined && { only }), ...(config.archive && { archive: config.archive }) }
    const found = await auditOf(opened, config, wishes)
    if (flags.json) printJson(io, asJson(found))
    else show(io, found, flags.unverified === true)
    if (isAnyBroken(found)) throw new Exit(EXIT.failed)
  } finally {
    await opened.close()
  }
}

/** In the local store: no server is audited. */
async function feedIn(config: Config, word: string): Promise<FeedId> {
  const queries = await openQueries({ ...config, server: '' })
  return (await feedMeant(word, queries).finally(queries.close)).id as FeedId
}

function asJson({ broken, ...found }: Audit): object {
  const named = broken.map(({ feed, root, judgements: rules }) => ({
    ...(feed ? { feedId: feed.id, url: feed.url } : { root }),
    rules,
  }))
  return { ...found, broken: named }
}

function show(io: Io, found: Audit, withUntold: boolean): void {
  const { feeds, polls, judgements, archive, broken, untold } = found
  io.out(`${count(polls, 'poll')} of ${count(feeds, 'feed')} in the log`)
  showVerdicts(io, judgements)
  if (archive) {
    io.out(`${count(archive.requests, 'request')} in the archive`)
    showVerdicts(io, archive.judgements)
  }
  if (!isAnyBroken(found)) io.out('no rule was broken')
  if (broken.length > 0)
    io.out(`${count(broken.length, 'feed or domain', 'feeds or domains')} that broke a rule, worst first:`)
  for (const { feed, root, judgements: rules } of broken.slice(0, SHOWN)) {
    io.out(plainLine(feed ? `${feed.id}  ${feed.title || feed.url}` : (root ?? '')))
    showVerdicts(io, rules)
  }
  if (broken.length > SHOWN) io.out(`and ${broken.length - SHOWN} more: freshet audit --json lists all`)
  if (!withUntold) return
  io.out('rules that were not checked:')
  for (const { rule, why } of untold) io.out(`${`rule ${rule}`.padStart(9)}  ${why}`)
}

/** What nothing came up for is named in one line. */
function showVerdicts(io: Io, judgements: AuditVerdict[]): void {
  for (const { rule, kept, of, words } of judgements)
    if (of > 0) io.out(`${(rule ? `rule ${rule}` : '').padStart(9)}${`${kept} of ${of}`.padStart(16)}  ${words}`)
  const unmet = judgements.filter(({ of }) => of === 0).map(({ rule }) => rule ?? '')
  if (unmet.length > 0) io.out(`no cases for ${unmet.length === 1 ? 'rule' : 'rules'} ${unmet.join(', ')}`)
}
