/** `freshet rule`: rules that are applied to new entries. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { RuleInput, RuleShape } from '../../api/index.ts'
import { InputError, openQueries, type ReaderCommands } from '../../app/index.ts'
import { configOf, type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { count, type Io, plainLine, printJson, printTable } from '../io.ts'
import { resolveFeed } from '../resolve-feed.ts'
import { withReaderState } from '../with-reader-state.ts'
import { joinSearchWords } from './entries.ts'

const MAX_FILE_BYTES = 1_000_000

export function ruleCommand(command: Command, io: Io): void {
  command.description(
    'Manage rules that label, mark or mute new entries, or notify you of them.\nThe syntax of queries: docs/rules.md',
  )
  const listing = command
    .command('list', { isDefault: true })
    .summary('List rules')
    .description('List rules in the order in which they are applied.')
    .option('--json', 'Print one JSON object.')
    .action((flags: Flags) => list(io, flags))
  const adding = withScope(
    command
      .command('add')
      .argument('<name>', 'Name of the rule.')
      .argument('[words...]', 'Query. Without one, the rule matches every entry.')
      .summary('Add a rule')
      .description('Add a rule as the last one. It is applied to entries that arrive from now on.'),
  )
    .option('--read', 'Mark matching entries as read.')
    .option('--star', 'Star matching entries.')
    .option('--label <label>', 'Add a label to matching entries.')
    .option('--mute', 'Hide matching entries from lists and searches.')
    .option('--keep-only', 'Mute everything that does not match.')
    .option('--notify', 'Send a notification to your browsers.')
    .option('--stop', 'Skip later rules for matching entries.')
    .option('--send <destination>', 'Send matching entries to this destination.')
    .option('--fetch-article', 'Fetch the full articles of matching entries, before others.')
    .action((name: string, words: string[], flags: Flags) => add(io, name, words, flags))
  const testing = withScope(
    command
      .command('test')
      .argument('<words...>', 'Query.')
      .summary('Test a query')
      .description('Show what a rule would have matched among the last 1,000 entries.'),
  )
    .option('--json', 'Print one JSON object.')
    .action((words: string[], flags: Flags) => test(io, words, flags))
  const applying = command
    .command('apply')
    .argument('<rule>', 'Name or id of the rule.')
    .summary('Apply a rule to old entries')
    .description('Apply a rule to all entries that are stored, newest first.')
    .action((name: string, flags: Flags) => apply(io, name, flags))
  const removing = command
    .command('remove')
    .argument('<rule>', 'Name or id of the rule.')
    .summary('Remove a rule')
    .description('Remove a rule. What it did stays.')
    .action((name: string, flags: Flags) => remove(io, name, flags))
  const exporting = command
    .command('export')
    .argument('[file]', 'File to write. Without one, prints to standard output.')
    .summary('Export rules as JSON')
    .description('Export rules as JSON.')
    .action((file: string | undefined, flags: Flags) => exportRules(io, file, flags))
  const importing = command
    .command('import')
    .argument('<file>', 'File written by freshet rule export.')
    .summary('Import rules')
    .description('Replace all rules with those of a file.')
    .action((file: string, flags: Flags) => importRules(io, file, flags))
  for (const one of [listing, adding, testing, applying, removing, exporting, importing])
    withSettings(one, USER_OPTIONS)
  withExamples(
    command,
    "freshet rule test 'sponsored OR title:/^ad:/i'",
    "freshet rule add ads 'sponsored OR title:/^ad:/i' --mute",
    "freshet rule add ships 'ship OR ferry' --folder News --label Ships --star",
    'freshet rule apply ships',
  )
}

function withScope(command: Command): Command {
  return command
    .option('--feed <feed>', 'Only entries of this feed.')
    .option('--folder <folder>', 'Only entries of this folder and its subfolders.')
}

async function list(io: Io, flags: Flags): Promise<void> {
  await withReaderState(io, flags, 'read', async (state) => {
    const rules = await state.rules()
    if (flags.json) return printJson(io, { rules })
    if (rules.length === 0) return io.note('no rules; create one with freshet rule add NAME QUERY --label LABEL')
    printTable(io, rules, [
      {
        title: 'rule',
        of: ({ name, enabled, fromFile }) =>
          (enabled ? name : `${name} (disabled)`) + (fromFile ? ' (freshet.toml)' : ''),
        shrinks: true,
      },
      { title: 'when', of: whenOf, shrinks: true },
      { title: 'then', of: ({ actions }) => actions.map(actionText).join(', ') },
      { title: 'matched this week', of: ({ matchedThisWeek }) => String(matchedThisWeek), right: true },
    ])
  })
}

async function add(io: Io, name: string, words: string[], flags: Flags): Promise<void> {
  const actions: RuleInput['actions'] = [
    ...(['read', 'star', 'mute', 'notify', 'stop'] as const)
      .filter((kind) => flags[kind] === true)
      .map((kind) => ({ kind })),
    ...(flags.keepOnly === true ? [{ kind: 'keep-only' as const }] : []),
    ...(flags.fetchArticle === true ? [{ kind: 'fetch-article' as const }] : []),
    ...(typeof flags.send === 'string' ? [{ kind: 'send' as const, destination: flags.send }] : []),
    ...(typeof flags.label === 'string' ? [{ kind: 'label' as const, label: flags.label }] : []),
  ]
  if (actions.length === 0)
    throw new InputError('the rule does nothing', 'give an action, such as --label, --star, --read or --mute')
  const scope = await scopeIn(io, flags)
  await withReaderState(io, flags, 'write', async (state) => {
    await state.addRule({ name, query: joinSearchWords(words), actions, ...(scope && { scope }) })
    io.out(plainLine(`added: ${name}; freshet rule apply applies it to old entries`))
  })
}

async function test(io: Io, words: string[], flags: Flags): Promise<void> {
  const scope = await scopeIn(io, flags)
  await withReaderState(io, flags, 'write', async (state) => {
    const found = await state.previewRule({ query: joinSearchWords(words), ...(scope && { scope }) })
    if (flags.json) return printJson(io, found)
    io.out(`would have matched ${found.matched} of the last ${count(found.checked, 'entry', 'entries')}`)
    for (const { id, title } of found.entries) io.out(plainLine(`e${id}  ${title}`))
  })
}

async function apply(io: Io, name: string, flags: Flags): Promise<void> {
  await withReaderState(io, flags, 'write', async (state) => {
    const { id } = await findRule(state, name)
    let [checked, changed] = [0, 0]
    for (let before: number | undefined; ; ) {
      const done = await state.applyRule(id, before)
      checked += done.checked
      changed += done.changed
      if (done.next === undefined) break
      before = done.next
      io.note(`${checked} entries checked`)
    }
    io.out(`${count(changed, 'entry', 'entries')} changed, of ${checked}`)
  })
}

async function remove(io: Io, name: string, flags: Flags): Promise<void> {
  await withReaderState(io, flags, 'write', async (state) => {
    const rule = await findRule(state, name)
    await state.removeRule(rule.id)
    io.out(plainLine(`removed: ${rule.name}`))
  })
}

async function exportRules(io: Io, file: string | undefined, flags: Flags): Promise<void> {
  await withReaderState(io, flags, 'read', async (state) => {
    const rules = (await state.rules())
      .filter(({ fromFile }) => !fromFile)
      .map(({ name, enabled, scope, query, actions }) => ({
        name,
        enabled,
        scope,
        query,
        actions,
      }))
    const text = JSON.stringify({ rules }, null, 2)
    if (file === undefined) return io.out(text)
    await writeFile(file, `${text}\n`)
    io.note(`${count(rules.length, 'rule')} written to ${file}`)
  })
}

async function importRules(io: Io, file: string, flags: Flags): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new InputError(`${file} cannot be read`, 'check the path')
  })
  if (text.length > MAX_FILE_BYTES) throw new InputError(`${file} is too large`, 'it may have 1 MB')
  const rules = rulesIn(text, file)
  await withReaderState(io, flags, 'write', async (state) => {
    const { length } = await state.replaceRules(rules)
    io.out(`${count(length, 'rule')} imported`)
  })
}

/** The server checks each rule. */
function rulesIn(text: string, file: string): RuleInput[] {
  try {
    const { rules } = JSON.parse(text) as { rules?: RuleInput[] }
    if (Array.isArray(rules)) return rules
  } catch {
    // reported below
  }
  throw new InputError(`${file} contains no rules`, 'use a file written by freshet rule export')
}

async function findRule(state: ReaderCommands, name: string): Promise<RuleShape> {
  const folded = name.toLowerCase()
  const rules = await state.rules()
  const found = rules.filter((one) => one.id === name || one.name.toLowerCase() === folded)
  const [rule] = found
  if (!rule) throw new InputError(`there is no rule "${name}"`, 'freshet rule list shows all')
  if (found.length > 1)
    throw new InputError(
      `${found.length} rules are called "${name}"`,
      `give one of their ids: ${found.map(({ id }) => id).join(', ')}`,
    )
  return rule
}

async function scopeIn(io: Io, flags: Flags): Promise<RuleInput['scope']> {
  if (flags.feed !== undefined && flags.folder !== undefined)
    throw new InputError('--feed and --folder cannot be combined', 'give one of them')
  if (typeof flags.folder === 'string') return { kind: 'folder', folder: flags.folder }
  if (typeof flags.feed !== 'string') return undefined
  const queries = await openQueries(configOf(io, flags))
  const { id } = await resolveFeed(flags.feed, queries).finally(queries.close)
  return { kind: 'feed', feedId: id }
}

function whenOf({ query, scope }: RuleShape): string {
  const where = scope.kind === 'all' ? '' : scope.kind === 'folder' ? `folder:${scope.folder}` : `feed:${scope.feedId}`
  return [query, where].filter(Boolean).join(' in ') || 'every entry'
}

function actionText(action: RuleShape['actions'][number]): string {
  if (action.kind === 'send') return `send to ${action.destination}`
  return action.kind === 'label' ? `label ${action.label}` : action.kind
}
