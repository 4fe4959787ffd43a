/** `freshet audit`: checks the poll log, and the archive of a run, against the politeness rules. */
import type { Command } from 'commander'
import {
  type Audit,
  type AuditVerdict,
  auditCrawl,
  type Config,
  hasBrokenRule,
  openForReading,
  openQueries,
} from '../../app/index.ts'
import type { FeedId } from '../../model/index.ts'
import { configOf, type Flags, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { count, type Io, plainLine, printJson } from '../io.ts'
import { resolveFeed } from '../resolve-feed.ts'

const MAX_SHOWN = 10

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
  const onlyFeedId = word === undefined ? undefined : await findFeed(config, word)
  const opened = await openForReading(config)
  try {
    const options = {
      ...(onlyFeedId !== undefined && { only: onlyFeedId }),
      ...(config.archive && { archive: config.archive }),
    }
    const audited = await auditCrawl(opened, config, options)
    if (flags.json) printJson(io, toJson(audited))
    else printAudit(io, audited, flags.unverified === true)
    if (hasBrokenRule(audited)) throw new Exit(EXIT.failed)
  } finally {
    await opened.close()
  }
}

/** Finds the feed in the local store, because only local stores are audited. */
async function findFeed(config: Config, word: string): Promise<FeedId> {
  const queries = await openQueries({ ...config, server: '' })
  return (await resolveFeed(word, queries).finally(queries.close)).id as FeedId
}

function toJson({ broken, ...audited }: Audit): object {
  const brokenJson = broken.map(({ feed, root, judgements: rules }) => ({
    ...(feed ? { feedId: feed.id, url: feed.url } : { root }),
    rules,
  }))
  return { ...audited, broken: brokenJson }
}

function printAudit(io: Io, audited: Audit, withUnverified: boolean): void {
  const { feeds, polls, judgements, archive, broken, unverified } = audited
  io.out(`${count(polls, 'poll')} of ${count(feeds, 'feed')} in the log`)
  printVerdicts(io, judgements)
  if (archive) {
    io.out(`${count(archive.requests, 'request')} in the archive`)
    printVerdicts(io, archive.judgements)
  }
  if (!hasBrokenRule(audited)) io.out('no rule was broken')
  if (broken.length > 0)
    io.out(`${count(broken.length, 'feed or domain', 'feeds or domains')} that broke a rule, worst first:`)
  for (const { feed, root, judgements: rules } of broken.slice(0, MAX_SHOWN)) {
    io.out(plainLine(feed ? `${feed.id}  ${feed.title || feed.url}` : (root ?? '')))
    printVerdicts(io, rules)
  }
  if (broken.length > MAX_SHOWN) io.out(`and ${broken.length - MAX_SHOWN} more: freshet audit --json lists all`)
  if (!withUnverified) return
  io.out('rules that were not checked:')
  for (const { rule, why } of unverified) io.out(`${`rule ${rule}`.padStart(9)}  ${why}`)
}

/** Rules without any case are listed in one line. */
function printVerdicts(io: Io, judgements: AuditVerdict[]): void {
  for (const { rule, passed, checked, words } of judgements)
    if (checked > 0)
      io.out(`${(rule ? `rule ${rule}` : '').padStart(9)}${`${passed} of ${checked}`.padStart(16)}  ${words}`)
  const unmet = judgements.filter(({ checked }) => checked === 0).map(({ rule }) => rule ?? '')
  if (unmet.length > 0) io.out(`no cases for ${unmet.length === 1 ? 'rule' : 'rules'} ${unmet.join(', ')}`)
}
