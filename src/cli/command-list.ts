/**
 * All commands, as `freshet --help` lists them: group, arguments and summary. The file of a command, and with it the crawler, is
 * only loaded when the command is used.
 */
import type { Command } from 'commander'
import type { Io } from './io.ts'

/** Adds arguments, options, examples and the action to a command. */
type Describe = (command: Command, io: Io) => void

export type CommandGroup = 'Read' | 'Manage' | 'Data' | 'Operate' | 'Lab'

interface CommandEntry {
  group: CommandGroup
  name: string
  /** The arguments, as in the definition of the command. */
  args: string
  summary: string
  /** Why the command does not work with `--server`. */
  localOnly?: string
  /** Its subcommand that does. */
  remoteSubcommand?: string
  load(): Promise<Describe>
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    group: 'Read',
    name: 'entries',
    args: '[words...]',
    summary: 'List or search entries',
    load: () => import('./commands/entries.ts').then((file) => file.entriesCommand),
  },
  {
    group: 'Read',
    name: 'search',
    args: '[command]',
    summary: 'Manage saved searches',
    load: () => import('./commands/search.ts').then((file) => file.searchCommand),
  },
  {
    group: 'Read',
    name: 'read',
    args: '<article>',
    summary: 'Read an article in the terminal',
    load: () => import('./commands/read.ts').then((file) => file.readCommand),
  },
  {
    group: 'Read',
    name: 'mark',
    args: '[entry...]',
    summary: 'Mark entries as read, unread or starred',
    load: () => import('./commands/mark.ts').then((file) => file.markCommand),
  },
  {
    group: 'Read',
    name: 'label',
    args: '[command]',
    summary: 'Manage labels of entries',
    load: () => import('./commands/label.ts').then((file) => file.labelCommand),
  },
  {
    group: 'Read',
    name: 'rule',
    args: '[command]',
    summary: 'Manage rules that label, mark or mute new entries, or notify you of them',
    load: () => import('./commands/rule.ts').then((file) => file.ruleCommand),
  },
  {
    group: 'Read',
    name: 'send',
    args: '[entry...]',
    summary: 'Send entries to other services',
    load: () => import('./commands/send.ts').then((file) => file.sendCommand),
  },
  {
    group: 'Read',
    name: 'destination',
    args: '[command]',
    summary: 'Manage services that entries are sent to',
    load: () => import('./commands/destination.ts').then((file) => file.destinationCommand),
  },
  {
    group: 'Read',
    name: 'stories',
    args: '[story]',
    summary: 'List stories that several feeds report',
    load: () => import('./commands/stories.ts').then((file) => file.storiesCommand),
  },
  {
    group: 'Read',
    name: 'digest',
    args: '',
    summary: 'Show the digest that you would get now',
    load: () => import('./commands/digest.ts').then((file) => file.digestCommand),
  },
  {
    group: 'Read',
    name: 'copies',
    args: '<entry>',
    summary: 'Show who published a text first, and who copied it',
    load: () => import('./commands/copies.ts').then((file) => file.copiesCommand),
  },
  {
    group: 'Manage',
    name: 'add',
    args: '<address...>',
    summary: 'Add sites, feeds or OPML files',
    load: () => import('./commands/add.ts').then((file) => file.addCommand),
  },
  {
    group: 'Manage',
    name: 'feeds',
    args: '[text]',
    summary: 'List feeds',
    load: () => import('./commands/feeds.ts').then((file) => file.feedsCommand),
  },
  {
    group: 'Manage',
    name: 'suggestions',
    args: '',
    summary: 'List sites and feeds that you could follow',
    load: () => import('./commands/suggestions.ts').then((file) => file.suggestionsCommand),
  },
  {
    group: 'Manage',
    name: 'show',
    args: '<id>',
    summary: 'Show a feed or an entry',
    load: () => import('./commands/show.ts').then((file) => file.showCommand),
  },
  {
    group: 'Manage',
    name: 'edit',
    args: '<feed...>',
    summary: 'Change the title, folder, strategy or address of feeds',
    load: () => import('./commands/edit.ts').then((file) => file.editCommand),
  },
  {
    group: 'Manage',
    name: 'poll',
    args: '<feed>',
    summary: 'Poll a feed now',
    load: () => import('./commands/poll.ts').then((file) => file.pollCommand),
  },
  {
    group: 'Manage',
    name: 'pause',
    args: '<feed...>',
    summary: 'Stop polling a feed',
    load: () => import('./commands/change.ts').then((file) => file.changeCommand),
  },
  {
    group: 'Manage',
    name: 'resume',
    args: '<feed...>',
    summary: 'Poll a paused feed again',
    load: () => import('./commands/change.ts').then((file) => file.changeCommand),
  },
  {
    group: 'Manage',
    name: 'remove',
    args: '<feed...>',
    summary: 'Remove a feed, its entries and its poll log',
    load: () => import('./commands/change.ts').then((file) => file.changeCommand),
  },
  {
    group: 'Manage',
    name: 'goal',
    args: '[feed]',
    summary: 'Set or list freshness goals',
    load: () => import('./commands/goal.ts').then((file) => file.goalCommand),
  },
  {
    group: 'Manage',
    name: 'user',
    args: '[command]',
    summary: 'Manage user accounts',
    load: () => import('./commands/user.ts').then((file) => file.userCommand),
  },
  {
    group: 'Manage',
    name: 'token',
    args: '[command]',
    summary: 'Manage API tokens',
    load: () => import('./commands/token.ts').then((file) => file.tokenCommand),
  },
  {
    group: 'Manage',
    name: 'login',
    args: '[address]',
    summary: 'Log in to a Freshet server, for --server',
    localOnly: 'takes the address of a server as its argument',
    load: () => import('./commands/login.ts').then((file) => file.loginCommand),
  },
  {
    group: 'Manage',
    name: 'logout',
    args: '[server]',
    summary: 'Log out of a Freshet server',
    localOnly: 'takes the address of a server as its argument',
    load: () => import('./commands/login.ts').then((file) => file.logoutCommand),
  },
  {
    group: 'Data',
    name: 'import',
    args: '<file...>',
    summary: 'Import feeds from OPML, NDJSON or a list',
    load: () => import('./commands/import.ts').then((file) => file.importCommand),
  },
  {
    group: 'Data',
    name: 'export',
    args: '[what]',
    summary: 'Export feeds, entries, articles, polls or hourly counts',
    load: () => import('./commands/export.ts').then((file) => file.exportCommand),
  },
  {
    group: 'Data',
    name: 'migrate',
    args: '',
    summary: 'Copy everything from one store to another',
    localOnly: 'copies stores that this machine can open',
    load: () => import('./commands/migrate.ts').then((file) => file.migrateCommand),
  },
  {
    group: 'Data',
    name: 'content',
    args: '[command]',
    summary: 'Query and clean up the content store',
    load: () => import('./commands/content.ts').then((file) => file.contentCommand),
  },
  {
    group: 'Data',
    name: 'regroup',
    args: '',
    summary: 'Find copies and stories again',
    load: () => import('./commands/regroup.ts').then((file) => file.regroupCommand),
  },
  {
    group: 'Data',
    name: 'discover',
    args: '<address>',
    summary: 'Find the feeds of a site',
    localOnly: 'fetches from this machine, not from a server',
    load: () => import('./commands/discover.ts').then((file) => file.discoverCommand),
  },
  {
    group: 'Data',
    name: 'parse',
    args: '<file>',
    summary: 'Parse a feed and print its content',
    localOnly: 'fetches from this machine, not from a server',
    load: () => import('./commands/parse.ts').then((file) => file.parseCommand),
  },
  {
    group: 'Data',
    name: 'extract',
    args: '<page>',
    summary: 'Extract the article from a page',
    localOnly: 'fetches from this machine, not from a server',
    load: () => import('./commands/extract.ts').then((file) => file.extractCommand),
  },
  {
    group: 'Operate',
    name: 'run',
    args: '[address...]',
    summary: 'Run the crawler, the page and the API',
    localOnly: 'crawls on this machine, and is itself a server',
    load: () => import('./commands/run.ts').then((file) => file.runCommand),
  },
  {
    group: 'Operate',
    name: 'status',
    args: '',
    summary: 'Show the status of the crawl',
    load: () => import('./commands/status.ts').then((file) => file.statusCommand),
  },
  {
    group: 'Operate',
    name: 'top',
    args: '',
    summary: 'Watch the crawl live',
    load: () => import('./commands/top.ts').then((file) => file.topCommand),
  },
  {
    group: 'Operate',
    name: 'audit',
    args: '[feed]',
    summary: 'Check the poll log against the politeness rules',
    localOnly: 'checks the log of a local store',
    load: () => import('./commands/audit.ts').then((file) => file.auditCommand),
  },
  {
    group: 'Operate',
    name: 'config',
    args: '',
    summary: 'Show the settings in force',
    load: () => import('./commands/config.ts').then((file) => file.configCommand),
  },
  {
    group: 'Operate',
    name: 'controller',
    args: '',
    summary: 'Run a controller of a fleet: schedules polls, records results',
    load: () => import('./commands/controller.ts').then((file) => file.controllerCommand),
  },
  {
    group: 'Operate',
    name: 'fetcher',
    args: '',
    summary: 'Run a fetcher of a fleet: fetches feeds and pages',
    load: () => import('./commands/fetcher.ts').then((file) => file.fetcherCommand),
  },
  {
    group: 'Operate',
    name: 'indexer',
    args: '',
    summary: 'Run an indexer of a fleet: search index, grouping, retention',
    load: () => import('./commands/indexer.ts').then((file) => file.indexerCommand),
  },
  {
    group: 'Operate',
    name: 'serve',
    args: '',
    summary: 'Serve the page and the API of a fleet',
    load: () => import('./commands/serve.ts').then((file) => file.serveCommand),
  },
  {
    group: 'Lab',
    name: 'demo',
    args: '',
    summary: 'Crawl a small invented web, offline',
    localOnly: 'crawls an invented web',
    load: () => import('./commands/demo.ts').then((file) => file.demoCommand),
  },
  {
    group: 'Lab',
    name: 'lab',
    args: '[command]',
    summary: 'Test polling strategies on recorded feeds',
    localOnly: 'uses local trace files',
    remoteSubcommand: 'ranking',
    load: () => import('./commands/lab.ts').then((file) => file.labCommand),
  },
]
