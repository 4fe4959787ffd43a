/**
 * Every option, once: name, default, sentence, kind. The flag (`--host-gap`), the environment variable
 * (`FRESHET_HOST_GAP`) and the key in freshet.toml (`host-gap`) follow from the name; `--help` and docs/configuration.md
 * are printed from this table. Flags go before the environment, the environment before the file.
 */
import { GROUPING } from '../crawl/index.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../model/index.ts'
import { DEFAULT_STRATEGY, LIMITS } from '../polling/index.ts'
import {
  decimal,
  durationOption,
  file,
  folder,
  host,
  hosts,
  type Kind,
  libraryAddress,
  listenAddress,
  nameServers,
  networks,
  oneOfOption,
  password,
  perhapsName,
  plainName,
  pollRate,
  queueAddress,
  secret,
  serverName,
  size,
  storeFile,
  strategyName,
  text,
  webAddressOption,
  wholeOption,
  yesOrNo,
} from './options.ts'
import { CONDUCT_PAGE } from './version.ts'

export interface Option<T> {
  kind: Kind<T>
  default: T
  sentence: string
  /** It is a password or may hold one: a file may be named in its place, and what is wrong with it is never printed. */
  isSecret?: true
  /** Variables that other programs go by, too; ours goes before them. */
  alsoFrom?: string[]
}

export const OPTIONS = {
  store: secretOption(
    storeFile,
    'freshet.db',
    'What holds everything: an SQLite file, made when it is not there, or a database of PostgreSQL 15 or newer.',
  ),
  storePassword: secretOption(password, '', 'Password for the user in --store, as it is: nothing needs escaping.'),
  library: secretOption(
    libraryAddress,
    '',
    'A Cassandra cluster that keeps what entries, articles and pages say, beside the store, which then holds the rest.',
  ),
  server: option(
    serverName,
    '',
    'A Freshet that runs elsewhere, by its address or by the name of a login (freshet login): it is asked in the place of the store.',
  ),
  token: secretOption(
    secret,
    '',
    'The token for that server, where no login is kept. Better in the environment than on a command line, which others can see.',
  ),
  profiles: option(
    file,
    '',
    'The file in which logins are kept, for its owner’s eyes only; none: freshet/profiles.json in your folder of settings.',
  ),
  person: option(
    text,
    '',
    'Whose feeds, folders and marks are meant, by name; none: those of the first person. At a server elsewhere they are of who logged in there.',
  ),
  host: option(host, '127.0.0.1', 'The address that the page and the API listen on.'),
  port: option(wholeOption(0, 65535), 4040, 'The port that the page and the API listen on; 0 takes any free one.'),
  listenWithoutLogin: option(
    yesOrNo,
    false,
    'Listen also on an address that other machines reach, and ask nobody to log in: whoever reaches it may read and change everything.',
  ),
  trustProxy: option(
    networks,
    [],
    'Networks of proxies before the page and the API, whose word is believed on where a request comes from (X-Forwarded-For) and whether it came by https.',
  ),
  secretKeyFile: option(
    file,
    '',
    'Key file that encrypts stored passwords and secret keys. Default: beside a SQLite store; none for PostgreSQL.',
  ),
  forgetSecrets: option(
    yesOrNo,
    false,
    'Drop stored secrets that another key encrypted, instead of refusing to start.',
  ),
  sharedReading: option(
    yesOrNo,
    false,
    'Let every user read all public feeds. Feeds with a login or a secret address stay private to their followers.',
  ),
  maxFeedsPerUser: option(wholeOption(1, 10_000_000), 10_000, 'How many feeds a user may follow.'),
  strategy: option(strategyName, DEFAULT_STRATEGY, 'How the next poll of a feed that is added is guessed.'),
  knownBy: option(
    oneOfOption('key', 'title'),
    'key',
    'When an entry is known: by its key, or also if its feed had one of the same title.',
  ),
  minInterval: option(
    durationOption(SECOND, 31 * DAY),
    LIMITS.minMs,
    'No feed is polled sooner than this after its last poll.',
  ),
  maxInterval: option(
    durationOption(MINUTE, 366 * DAY),
    LIMITS.maxMs,
    'No feed waits longer than this for its next poll, unless its server asks for it.',
  ),
  budget: option(
    pollRate,
    'auto',
    'How many polls there may be, all feeds together, such as 5000/d or 200/h (one and a half times as many on a busy day); auto: what was named on the page, else 24 a day for each feed.',
  ),
  concurrency: option(wholeOption(1, 1000), 32, 'How many requests may be under way at once, all sites together.'),
  hostGap: option(durationOption(0, HOUR), 2 * SECOND, 'The pause between two requests to one registrable domain.'),
  hostGapExcept: option(
    hosts,
    [],
    'Domains and addresses of your own that need no pause and no turns, such as intranet.example or 10.0.0.5.',
  ),
  timeout: option(durationOption(SECOND, 10 * MINUTE), 30 * SECOND, 'How long one request may take in all.'),
  maxBody: option(size(10_000, 1_000_000_000), 10_000_000, 'The largest document that is read, after decoding.'),
  robots: option(
    oneOfOption('guesses', 'all'),
    'guesses',
    'What robots.txt is heeded for: addresses that we only guess, or also the feeds that you ask for.',
  ),
  contact: option(
    webAddressOption,
    CONDUCT_PAGE,
    'A page about your crawl, for publishers; it becomes part of the user agent. Please set it: the default leads nowhere.',
  ),
  publicUrl: option(
    webAddressOption,
    '',
    'The address under which hubs reach /websub/ of this server from outside. With it, feeds that name a hub are pushed.',
  ),
  hub: option(
    webAddressOption,
    '',
    'A WebSub hub that the feeds which people make for other readers name, and that is told when they change. It learns their addresses, and has to reach them below --public-url.',
  ),
  allowNetworks: option(
    networks,
    [],
    'Networks that are not public and may be visited all the same, such as your intranet: for feeds and pages that you name there, and not because of what public sites link or redirect to.',
  ),
  httpProxy: option(webAddressOption, '', 'A proxy for http addresses.', ['http_proxy', 'HTTP_PROXY']),
  httpsProxy: option(webAddressOption, '', 'A proxy for https addresses.', ['https_proxy', 'HTTPS_PROXY']),
  proxyExcept: option(text, '', 'Hosts and networks that are visited without a proxy, parted by commas.', [
    'no_proxy',
    'NO_PROXY',
  ]),
  dnsServers: option(nameServers, [], 'Name servers to ask in the place of the system’s.'),
  articles: option(
    oneOfOption('auto', 'always', 'never'),
    'auto',
    'Whether the pages that entries point at are fetched; auto: where a feed does not show whole texts. A feed may differ.',
  ),
  articleBacklog: option(
    wholeOption(0, 1000),
    20,
    'Of a feed that is read for the first time, the pages of so many entries are fetched, the newest.',
  ),
  copies: option(
    oneOfOption('verified', 'simhash', 'off'),
    GROUPING.copies,
    'How copies are recognised: word by word, by the distance of plain SimHashes alone, or not at all.',
  ),
  copyThreshold: option(
    decimal(0, 64),
    0,
    'From which likeness on two texts are copies (verified, up to 1), or up to which distance (simhash, up to 64); 0 takes 0.66 or 12.',
  ),
  stories: option(
    oneOfOption('on', 'off'),
    GROUPING.stories,
    'Whether entries that tell of the same event are grouped.',
  ),
  storyThreshold: option(decimal(0, 1), 0, 'From which likeness on entries tell the same story; 0 takes 0.12.'),
  groupWindow: option(
    durationOption(HOUR, 366 * DAY),
    GROUPING.groupWindowMs,
    'Entries further apart than this are never grouped.',
  ),
  groupMemory: option(
    size(1_000_000, 4_000_000_000),
    GROUPING.groupMemoryBytes,
    'What the index of copies and stories may take at the most; the oldest entries leave it first.',
  ),
  keepEntries: option(durationOption(0, 36_500 * DAY), 0, 'For how long entries are kept; 0 keeps them for ever.'),
  keepPolls: option(
    durationOption(0, 36_500 * DAY),
    90 * DAY,
    'For how long the log of polls is kept; 0 keeps it for ever. A run of unchanged polls is dropped once its newest is older.',
  ),
  keepArticles: option(
    durationOption(0, 36_500 * DAY),
    0,
    'For how long the texts of articles are kept; 0 keeps them for ever, or as long as their entries.',
  ),
  keepPages: option(
    durationOption(0, 36_500 * DAY),
    60 * DAY,
    'For how long articles’ pages are kept as they came; 0 keeps them as long as the texts.',
  ),
  maxPages: option(
    size(0, 100_000_000_000_000),
    0,
    'How much room those pages may take, packed; the oldest go first. 0 sets no limit.',
  ),
  archive: option(
    folder,
    '',
    'A folder for WARC files, in which all that is fetched is archived as it came; none if empty.',
  ),
  archiveFile: option(
    size(100_000, 100_000_000_000),
    1_000_000_000,
    'How large a file of the archive becomes before the next is begun.',
  ),
  queue: secretOption(
    queueAddress,
    '',
    'The NATS server, 2.9 or newer with JetStream, by which the processes of a fleet reach each other; none for one process.',
  ),
  queuePassword: secretOption(password, '', 'Password for the user in --queue, as it is: nothing needs escaping.'),
  queueName: option(plainName, 'freshet', 'What everything on that server begins with: other fleets have other names.'),
  queueCredentials: option(file, '', 'A file with credentials for that server, as nsc writes them.'),
  queueCa: option(file, '', 'A file with the certificate of who signed that server’s.'),
  queueCert: option(file, '', 'A file with our certificate for that server.'),
  queueKey: option(file, '', 'A file with the key of that certificate.'),
  queueWait: option(
    durationOption(SECOND, 10 * MINUTE),
    30 * SECOND,
    'After so long without a sign of life a terminal’s tasks are given to others.',
  ),
  lease: option(
    durationOption(15 * SECOND, DAY),
    10 * MINUTE,
    'After so long what was sent to a terminal and did not come back is lost, and due again. Longer than any request takes.',
  ),
  queueReplicas: option(wholeOption(1, 5), 1, 'On how many servers of a cluster tasks and outcomes are kept.'),
  memberName: option(
    perhapsName,
    '',
    'What a process of a fleet is called in logs and lists; its machine’s name, if empty. A few letters of chance follow.',
  ),
  health: option(
    listenAddress,
    '',
    'Where a fleet role answers /livez and /readyz for supervisors. freshet run and serve answer on --port.',
  ),
  region: option(perhapsName, '', 'Where a terminal stands, for people who look at a list of them.'),
  log: option(
    oneOfOption('debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'How much is logged; debug names every poll.',
  ),
  logFormat: option(oneOfOption('text', 'json'), 'text', 'Lines for people, or one JSON object a line.'),
}

export type OptionName = keyof typeof OPTIONS
export type Config = { readonly [Name in OptionName]: (typeof OPTIONS)[Name] extends Option<infer T> ? T : never }

export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[]

/** Those that may also come from a file, named by the variable with _FILE behind it. */
export const SECRETS: readonly OptionName[] = OPTION_NAMES.filter((name) => (OPTIONS[name] as Option<unknown>).isSecret)

/** `hostGap` is `host-gap`. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

export function environmentOf(name: OptionName): string {
  return `FRESHET_${flagOf(name).toUpperCase().replaceAll('-', '_')}`
}

/** The value as a person would write it. */
export function shownValue(name: OptionName, value: unknown): string {
  const { kind } = OPTIONS[name] as unknown as Option<unknown>
  return kind.show(value)
}

function option<T>(kind: Kind<T>, value: NoInfer<T>, sentence: string, alsoFrom?: string[]): Option<T> {
  return { kind, default: value, sentence, ...(alsoFrom && { alsoFrom }) }
}

function secretOption<T>(kind: Kind<T>, value: NoInfer<T>, sentence: string): Option<T> {
  return { ...option(kind, value, sentence), isSecret: true }
}
