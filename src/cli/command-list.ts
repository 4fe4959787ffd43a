/**
 * All commands, as `freshet --help` lists them: what each takes, and its sentence. The file of a command, and with it the crawler,
 * is loaded when the command is used; whoever only asks what there is waits for none of it.
 */
import type { Command } from 'commander'
import type { Io } from './io.ts'

/** Describes a command further: its arguments, options and examples, and what it does. */
type Describe = (command: Command, io: Io) => void

interface Listed {
  name: string
  /** Its arguments, as the command itself reads them. */
  takes: string
  summary: string
  /** Why it cannot be done at a server elsewhere, for who tries with `--server`. */
  onlyHere?: string
  load(): Promise<Describe>
}

/** In the order in which people meet them. */
export const COMMANDS: readonly Listed[] = [
  listed(
    'run',
    '[address...]',
    'crawl, and serve the page and the API',
    () => import('./commands/run.ts').then((file) => file.runCommand),
    'crawls on this machine, and is itself what others ask',
  ),
  listed('add', '<address...>', 'add sites, feeds or OPML files', () =>
    import('./commands/add.ts').then((file) => file.addCommand),
  ),
  listed('feeds', '[text]', 'list feeds', () => import('./commands/feeds.ts').then((file) => file.feedsCommand)),
  listed('entries', '[words...]', 'list or search entries, newest first', () =>
    import('./commands/entries.ts').then((file) => file.entriesCommand),
  ),
  listed('mark', '[entry...]', 'mark entries as read, or with a star', () =>
    import('./commands/mark.ts').then((file) => file.markCommand),
  ),
  listed('search', '[command]', 'save searches under a name', () =>
    import('./commands/search.ts').then((file) => file.searchCommand),
  ),
  listed('read', '<what>', 'an article, on the terminal', () =>
    import('./commands/read.ts').then((file) => file.readCommand),
  ),
  listed('stories', '[story]', 'what several feeds tell of, the most told first', () =>
    import('./commands/stories.ts').then((file) => file.storiesCommand),
  ),
  listed('copies', '<entry>', 'who said it first, and who repeats it', () =>
    import('./commands/copies.ts').then((file) => file.copiesCommand),
  ),
  listed('regroup', '', 'find copies and stories anew, as after a change of settings', () =>
    import('./commands/regroup.ts').then((file) => file.regroupCommand),
  ),
  listed('show', '<id>', 'all about one feed, or one entry', () =>
    import('./commands/show.ts').then((file) => file.showCommand),
  ),
  listed('status', '', 'how it stands, on one screen', () =>
    import('./commands/status.ts').then((file) => file.statusCommand),
  ),
  listed('top', '', 'the crawl as it goes, on a screen of its own', () =>
    import('./commands/top.ts').then((file) => file.topCommand),
  ),
  listed('poll', '<feed>', 'look at a feed now', () => import('./commands/poll.ts').then((file) => file.pollCommand)),
  listed('pause', '<feed...>', 'stop polling a feed for now', () =>
    import('./commands/change.ts').then((file) => file.changeCommand),
  ),
  listed('resume', '<feed...>', 'poll a paused feed again', () =>
    import('./commands/change.ts').then((file) => file.changeCommand),
  ),
  listed('remove', '<feed...>', 'remove a feed with its entries and its log', () =>
    import('./commands/change.ts').then((file) => file.changeCommand),
  ),
  listed('edit', '<feed>', "change a feed's title, folder, strategy or address", () =>
    import('./commands/edit.ts').then((file) => file.editCommand),
  ),
  listed('goal', '[feed]', 'how early the news of a folder or feed should be here', () =>
    import('./commands/goal.ts').then((file) => file.goalCommand),
  ),
  listed('user', '[command]', 'accounts: who may log in, and do what', () =>
    import('./commands/user.ts').then((file) => file.userCommand),
  ),
  listed('token', '[command]', 'tokens, by which programs speak for somebody', () =>
    import('./commands/token.ts').then((file) => file.tokenCommand),
  ),
  listed(
    'login',
    '[address]',
    'log in at a Freshet that runs elsewhere, for --server',
    () => import('./commands/login.ts').then((file) => file.loginCommand),
    'takes the address of a server as its argument',
  ),
  listed(
    'logout',
    '[server]',
    'end a login',
    () => import('./commands/login.ts').then((file) => file.logoutCommand),
    'takes the address of a server as its argument',
  ),
  listed('import', '<file...>', 'read feeds from OPML, NDJSON or a list', () =>
    import('./commands/import.ts').then((file) => file.importCommand),
  ),
  listed('export', '[what]', 'write feeds, entries, articles or polls', () =>
    import('./commands/export.ts').then((file) => file.exportCommand),
  ),
  listed(
    'migrate',
    '',
    'carry everything over from one store into another',
    () => import('./commands/migrate.ts').then((file) => file.migrateCommand),
    'carries stores over that this machine can open',
  ),
  listed(
    'discover',
    '<address>',
    'which feeds an address leads to, and why',
    () => import('./commands/discover.ts').then((file) => file.discoverCommand),
    'looks at the web from this machine, and asks no server',
  ),
  listed(
    'parse',
    '<file>',
    'what a feed says, as text or JSON',
    () => import('./commands/parse.ts').then((file) => file.parseCommand),
    'looks at the web from this machine, and asks no server',
  ),
  listed(
    'extract',
    '<page>',
    'the article on a page, and where each fact was found',
    () => import('./commands/extract.ts').then((file) => file.extractCommand),
    'looks at the web from this machine, and asks no server',
  ),
  listed(
    'audit',
    '[feed]',
    'how we behave towards publishers, by our own log',
    () => import('./commands/audit.ts').then((file) => file.auditCommand),
    'judges the log of a store that lies here, and the archive beside it',
  ),
  listed(
    'lab',
    '[command]',
    'try polling strategies on recorded histories',
    () => import('./commands/lab.ts').then((file) => file.labCommand),
    'tries strategies on histories that lie here',
  ),
  listed('controller', '', 'of a fleet: decides and records', () =>
    import('./commands/controller.ts').then((file) => file.controllerCommand),
  ),
  listed('terminal', '', 'of a fleet: goes out to the web', () =>
    import('./commands/terminal.ts').then((file) => file.terminalCommand),
  ),
  listed('keeper', '', 'of a fleet: index, copies and stories, what is forgotten, the price of a poll', () =>
    import('./commands/keeper.ts').then((file) => file.keeperCommand),
  ),
  listed('serve', '', 'of a fleet: the page and the API', () =>
    import('./commands/serve.ts').then((file) => file.serveCommand),
  ),
  listed('library', '', 'what the library has, also of what the store has forgotten', () =>
    import('./commands/library.ts').then((file) => file.libraryCommand),
  ),
  listed('mend', '', 'take out of the library what a crash left there', () =>
    import('./commands/mend.ts').then((file) => file.mendCommand),
  ),
  listed('config', '', 'the settings in force, and where they came from', () =>
    import('./commands/config.ts').then((file) => file.configCommand),
  ),
  listed(
    'demo',
    '',
    'a whole village of feeds, offline',
    () => import('./commands/demo.ts').then((file) => file.demoCommand),
    'makes a village of its own',
  ),
]

function listed(
  name: string,
  takes: string,
  summary: string,
  load: () => Promise<Describe>,
  onlyHere?: string,
): Listed {
  return { name, takes, summary, load, ...(onlyHere !== undefined && { onlyHere }) }
}
