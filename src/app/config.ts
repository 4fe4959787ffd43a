/**
 * The table of all settings: name, type, default and description. The flag (`--host-gap`), the environment variable
 * (`FRESHET_HOST_GAP`) and the key in freshet.toml (`host-gap`) derive from the name. `--help` and docs/configuration.md are generated
 * from this table. Flags override the environment, and the environment overrides the file.
 */
import { DEFAULT_GROUPING } from '../crawl/index.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../model/index.ts'
import { DEFAULT_STRATEGY, LIMITS } from '../scheduling/index.ts'
import {
  contentStoreAddress,
  decimal,
  durationOption,
  file,
  folder,
  groupRoles,
  headerName,
  host,
  hosts,
  integerOption,
  listenAddress,
  mailSender,
  nameServers,
  natsName,
  networks,
  type OptionType,
  oneOfOption,
  optionalName,
  password,
  pollRate,
  queueAddress,
  secret,
  serverName,
  size,
  storeFile,
  strategyName,
  text,
  webAddressOption,
  yesOrNo,
} from './options.ts'
import { CONDUCT_PAGE } from './version.ts'

export interface Option<T> {
  kind: OptionType<T>
  default: T
  sentence: string
  /** The value is or may contain a password: it can come from a file, and error messages never show it. */
  isSecret?: true
  /** Environment variables of other programs that are also read. Ours take precedence. */
  alsoFrom?: string[]
  /** Further details for docs/configuration.md. `--help` shows one line per option. */
  details?: string
}

export const OPTIONS = {
  store: secretOption(storeFile, 'freshet.db', 'Database: an SQLite file, or the URL of a PostgreSQL 15+ database.', {
    details: 'The file is created when it does not exist.',
  }),
  storePassword: secretOption(password, '', 'Password for the user in --store, unescaped.'),
  contentStore: secretOption(
    contentStoreAddress,
    '',
    'Cassandra cluster for texts of entries, articles and pages, beside the store.',
    { details: 'The store holds everything else. See [Content store](content-store.md).' },
  ),
  server: option(serverName, '', 'Freshet server to use instead of a local store: its URL, or the name of a login.', {
    details: 'Logins are made with `freshet login`.',
  }),
  token: secretOption(secret, '', 'API token for --server, when no login is saved.', {
    details: 'Prefer the environment variable: other users of the machine can see command lines.',
  }),
  profiles: option(file, '', 'File that stores logins. Default: freshet/profiles.json in your config folder.', {
    details: 'Only its owner can read it.',
  }),
  user: option(text, '', 'User to act as. Defaults to the first account, or to the logged-in user with --server.'),
  host: option(host, '127.0.0.1', 'Address to listen on for the page and the API.'),
  port: option(integerOption(0, 65535), 4040, 'Port to listen on. 0 picks a free one.'),
  listenWithoutLogin: option(yesOrNo, false, 'Allow listening on a public address without accounts. Insecure.', {
    details: 'Everyone who can reach the address can read and change everything.',
  }),
  trustProxy: option(networks, [], 'Trusted proxy networks, comma-separated.', {
    details: 'Their X-Forwarded-For and X-Forwarded-Proto headers are honored. See [Reverse proxy](reverse-proxy.md).',
  }),
  oidcIssuer: option(webAddressOption, '', 'OpenID Connect issuer URL. Lets users sign in through that provider.', {
    details: 'See [Sign-in](sign-in.md). With http, secrets travel unencrypted.',
  }),
  oidcClientId: option(text, '', 'Client id of this server at the OpenID Connect provider.'),
  oidcClientSecret: secretOption(password, '', 'Client secret of this server at the OpenID Connect provider.', {
    details: 'Leave it out for a public client.',
  }),
  oidcScopes: option(text, 'openid profile email', 'Scopes to request from the OpenID Connect provider.'),
  oidcLabel: option(text, 'single sign-on', 'Name of the OpenID Connect provider on the sign-in button.'),
  oidcGroupsClaim: option(text, 'groups', 'Claim that lists the groups of a user, for --group-roles.'),
  oidcLinkBy: option(
    oneOfOption('none', 'email', 'username'),
    'none',
    'Claim that links a first sign-in to the account of that name.',
    {
      details:
        '`email` counts only if verified. A person who can choose that claim at the provider can take over accounts here: see [Sign-in](sign-in.md#linking-accounts).',
    },
  ),
  oidcOnly: option(yesOrNo, false, 'Turn off passwords and passkeys: users sign in through OpenID Connect only.', {
    details: 'API tokens stay valid.',
  }),
  proxyUserHeader: option(headerName, '', 'Header in which a trusted proxy names the user it has signed in.', {
    details:
      'Such as `Remote-User`. It is only believed from `--trust-proxy`. See [Sign-in](sign-in.md#trusted-headers).',
  }),
  proxyGroupsHeader: option(headerName, '', 'Header in which a trusted proxy lists the groups of the user.'),
  provisionUsers: option(yesOrNo, false, 'Create accounts for users signed in by OpenID Connect or a proxy.'),
  groupRoles: option(groupRoles, [], 'Access by group at the provider or proxy, such as freshet-admins=admin,*=read.', {
    details: 'Applied at each sign-in. `*` is everybody; users in no listed group have no access.',
  }),
  secretKeyFile: option(file, '', 'Key file that encrypts stored passwords and secret keys.', {
    details: 'By default a file beside a SQLite store; none for PostgreSQL.',
  }),
  forgetSecrets: option(
    yesOrNo,
    false,
    'Drop stored secrets that another key encrypted, instead of refusing to start.',
  ),
  sharedReading: option(yesOrNo, false, 'Let every user read all public feeds.', {
    details: 'Feeds with a login or a secret address stay private to their followers.',
  }),
  includeNoarchive: option(yesOrNo, false, 'Include the texts of noarchive pages in outgoing feeds and exports.', {
    details: 'Users who follow a feed can read them in any case.',
  }),
  proxyMedia: option(yesOrNo, false, 'Load audio and video through this server instead of from publishers.', {
    details: 'Publishers then see the server instead of each listener, and recordings count as traffic of the server.',
  }),
  maxFeedsPerUser: option(integerOption(1, 10_000_000), 10_000, 'Maximum number of feeds a user can follow.'),
  strategy: option(strategyName, DEFAULT_STRATEGY, 'Default polling strategy for new feeds.', {
    details: 'See [Polling](polling.md).',
  }),
  dedupeBy: option(
    oneOfOption('key', 'title'),
    'key',
    'How known entries are recognized: by key, or also by title within the feed.',
  ),
  minInterval: option(durationOption(SECOND, 31 * DAY), LIMITS.minMs, 'Shortest time between two polls of a feed.'),
  maxInterval: option(durationOption(MINUTE, 366 * DAY), LIMITS.maxMs, 'Longest time between two polls of a feed.', {
    details: 'A server that asks for a longer wait gets it.',
  }),
  budget: option(pollRate, 'auto', 'Poll budget for all feeds together, such as 5000/d or 200/h.', {
    details:
      'On a busy day one and a half times as many. `auto` uses the budget set on the dashboard, or else 24 polls per feed and day.',
  }),
  concurrency: option(integerOption(1, 1000), 32, 'Maximum number of requests in flight, all hosts together.'),
  hostGap: option(durationOption(0, HOUR), 2 * SECOND, 'Pause between two requests to one registrable domain.'),
  hostGapExcept: option(hosts, [], 'Domains and IP addresses of your own that need no pause, comma-separated.', {
    details: 'For example `intranet.example` or `10.0.0.5`. Requests to them also run in parallel.',
  }),
  timeout: option(durationOption(SECOND, 10 * MINUTE), 30 * SECOND, 'Time limit of a single request.'),
  maxBody: option(size(10_000, 1_000_000_000), 10_000_000, 'Maximum size of a document after decoding.'),
  robots: option(
    oneOfOption('guesses', 'all'),
    'guesses',
    'Where robots.txt applies: to guessed addresses, or also to feeds you add.',
    { details: 'Pages of articles always follow robots.txt.' },
  ),
  contact: option(
    webAddressOption,
    CONDUCT_PAGE,
    'URL of a page about your crawl. It becomes part of the user agent.',
    {
      details: 'Please set it: the default leads nowhere.',
    },
  ),
  publicUrl: option(
    webAddressOption,
    '',
    'Public URL of this server, used in its links. Enables WebSub push from hubs.',
    {
      details: 'Hubs must reach `/websub/` below it.',
    },
  ),
  publishHub: option(webAddressOption, '', 'WebSub hub to announce in outgoing feeds, and to ping when they change.', {
    details: 'The hub learns the addresses of these feeds. Needs `--public-url`.',
  }),
  smtpHost: option(text, '', 'Host of the mail server that sends digests. Without one, there are no e-mails.', {
    details: 'Needs `--public-url`, for links. See [Notifications](notifications.md#digests).',
  }),
  smtpPort: option(integerOption(1, 65_535), 587, 'Port of the mail server.'),
  smtpTls: option(
    oneOfOption('starttls', 'tls', 'none'),
    'starttls',
    'Encryption of the connection to the mail server. none is for a server on this machine.',
  ),
  smtpUser: option(text, '', 'User name at the mail server. Without one, it asks for no login.'),
  smtpPassword: secretOption(password, '', 'Password at the mail server.'),
  smtpFrom: option(mailSender, '', 'Sender of e-mails, such as Freshet <news@example.org>.', {
    details: 'Defaults to `freshet@` and the host of `--public-url`.',
  }),
  allowNetworks: option(networks, [], 'Private networks that may be crawled, comma-separated.', {
    details:
      'They are only visited for feeds and pages that you name, never because a public site links or redirects there.',
  }),
  httpProxy: option(webAddressOption, '', 'Proxy for http URLs.', { alsoFrom: ['http_proxy', 'HTTP_PROXY'] }),
  httpsProxy: option(webAddressOption, '', 'Proxy for https URLs.', { alsoFrom: ['https_proxy', 'HTTPS_PROXY'] }),
  proxyExcept: option(text, '', 'Hosts and networks that bypass the proxy, comma-separated.', {
    alsoFrom: ['no_proxy', 'NO_PROXY'],
  }),
  dnsServers: option(nameServers, [], 'DNS servers to use instead of those of the system, comma-separated.'),
  articles: option(oneOfOption('auto', 'always', 'never'), 'auto', 'When to fetch the page of an entry.', {
    details: '`auto` fetches where a feed does not have full texts. Feeds can override it.',
  }),
  articleBacklog: option(
    integerOption(0, 1000),
    20,
    'Number of newest entries whose pages are fetched on the first poll of a feed.',
  ),
  copies: option(oneOfOption('verified', 'simhash', 'off'), DEFAULT_GROUPING.copies, 'How copies are detected.', {
    details:
      '`verified` compares words, `simhash` only the distance of SimHashes. See [Copies and stories](copies.md).',
  }),
  copyThreshold: option(
    decimal(0, 64),
    0,
    'Threshold for copies: similarity (verified) or distance (simhash). 0 means 0.66 or 12.',
    { details: 'Up to 1 for `verified`, up to 64 for `simhash`.' },
  ),
  stories: option(
    oneOfOption('on', 'off'),
    DEFAULT_GROUPING.stories,
    'Group entries about the same event into stories.',
  ),
  storyThreshold: option(decimal(0, 1), 0, 'Similarity threshold for stories. 0 means 0.12.'),
  groupWindow: option(
    durationOption(HOUR, 366 * DAY),
    DEFAULT_GROUPING.groupWindowMs,
    'Maximum time between two entries of a group.',
  ),
  groupMemory: option(
    size(1_000_000, 4_000_000_000),
    DEFAULT_GROUPING.groupMemoryBytes,
    'Memory limit of the similarity index. The oldest entries are evicted first.',
  ),
  keepEntries: option(durationOption(0, 36_500 * DAY), 0, 'Retention of entries. 0 keeps them forever.'),
  keepPolls: option(durationOption(0, 36_500 * DAY), 90 * DAY, 'Retention of the poll log. 0 keeps it forever.', {
    details: 'A run of unchanged polls is dropped once its newest poll is older.',
  }),
  keepArticles: option(
    durationOption(0, 36_500 * DAY),
    0,
    'Retention of article texts. 0 keeps them as long as entries.',
  ),
  keepPages: option(
    durationOption(0, 36_500 * DAY),
    60 * DAY,
    'Retention of the original pages of articles. 0 keeps them as long as the texts.',
  ),
  maxPagesSize: option(
    size(0, 100_000_000_000_000),
    0,
    'Disk limit for original pages, compressed. The oldest are dropped first. 0 means no limit.',
  ),
  notesFolder: option(folder, '', 'Folder for Markdown files of entries that users send there (Obsidian).', {
    details: 'Each user has a subfolder. See [Send to](integrations.md#send-to).',
  }),
  archive: option(folder, '', 'Folder for a WARC archive of everything that is fetched.'),
  archiveFileSize: option(size(100_000, 100_000_000_000), 1_000_000_000, 'Size at which a new WARC file is started.'),
  queue: secretOption(queueAddress, '', 'NATS 2.9+ servers with JetStream, comma-separated. Required for a fleet.'),
  queuePassword: secretOption(password, '', 'Password for the user in --queue, unescaped.'),
  queueName: option(natsName, 'freshet', 'Prefix for streams and subjects. Use a different one per fleet.'),
  queueCredentials: option(file, '', 'NATS credentials file, as written by nsc.'),
  queueCa: option(file, '', 'CA certificate file for --queue.'),
  queueCert: option(file, '', 'Client certificate file for --queue.'),
  queueKey: option(file, '', 'Key file of --queue-cert.'),
  queueWait: option(
    durationOption(SECOND, 10 * MINUTE),
    30 * SECOND,
    'Time without a sign of life after which tasks of a fetcher go to others.',
  ),
  lease: option(
    durationOption(15 * SECOND, DAY),
    10 * MINUTE,
    'Time after which an unanswered task expires and is due again.',
    { details: 'Must be longer than any request takes.' },
  ),
  queueReplicas: option(integerOption(1, 5), 1, 'Number of NATS servers that store each stream.'),
  memberName: option(optionalName, '', 'Name of this process in logs and lists. Defaults to the host name.', {
    details: 'Random letters are appended.',
  }),
  health: option(listenAddress, '', 'Address for the health endpoints /livez and /readyz of a fleet role.', {
    details: '`freshet run` and `freshet serve` answer them on `--port`.',
  }),
  region: option(optionalName, '', 'Location of a fetcher, shown in fleet lists.'),
  log: option(oneOfOption('debug', 'info', 'warn', 'error', 'silent'), 'info', 'Log level. debug logs every poll.'),
  logFormat: option(oneOfOption('text', 'json'), 'text', 'Log format: lines for people, or one JSON object per line.'),
}

export type OptionName = keyof typeof OPTIONS
export type Config = { readonly [Name in OptionName]: (typeof OPTIONS)[Name] extends Option<infer T> ? T : never }

export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[]

/** Options under "General options" in `--help`: store, server, user and log. */
const GENERAL = new Set<OptionName>([
  ...(['store', 'contentStore', 'queue', 'server', 'token', 'profiles', 'user', 'log', 'logFormat'] as const),
])

/** Options that most installations do not change. */
const ADVANCED = new Set<OptionName>([
  ...(['storePassword', 'secretKeyFile', 'forgetSecrets', 'trustProxy', 'maxFeedsPerUser', 'dedupeBy'] as const),
  ...(['oidcIssuer', 'oidcClientId', 'oidcClientSecret', 'oidcScopes', 'oidcLabel', 'oidcGroupsClaim'] as const),
  ...(['oidcLinkBy', 'oidcOnly', 'proxyUserHeader', 'proxyGroupsHeader', 'provisionUsers', 'groupRoles'] as const),
  ...(['minInterval', 'maxInterval', 'hostGapExcept', 'timeout', 'maxBody', 'robots', 'publishHub'] as const),
  ...(['smtpHost', 'smtpPort', 'smtpTls', 'smtpUser', 'smtpPassword', 'smtpFrom'] as const),
  ...(['httpProxy', 'httpsProxy', 'proxyExcept', 'dnsServers', 'articleBacklog', 'copyThreshold'] as const),
  ...(['storyThreshold', 'groupWindow', 'groupMemory', 'keepPolls', 'keepArticles', 'keepPages'] as const),
  ...(['maxPagesSize', 'archiveFileSize', 'queuePassword', 'queueName', 'queueCredentials', 'queueCa'] as const),
  ...(['queueCert', 'queueKey', 'queueWait', 'lease', 'queueReplicas', 'memberName', 'region'] as const),
])

/** The heading under which `--help` lists an option. */
export function headingOf(name: OptionName): string {
  if (GENERAL.has(name)) return 'General options:'
  return ADVANCED.has(name) ? 'Advanced options:' : 'Options:'
}

/** Settings that can also come from a file: the variable with _FILE appended names it. */
export const SECRETS: readonly OptionName[] = OPTION_NAMES.filter((name) => (OPTIONS[name] as Option<unknown>).isSecret)

/** Converts `hostGap` to `host-gap`. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

export function environmentOf(name: string): string {
  return `FRESHET_${flagOf(name).toUpperCase().replaceAll('-', '_')}`
}

/** The value as a user would write it. */
export function formatSetting(name: OptionName, value: unknown): string {
  const { kind } = OPTIONS[name] as unknown as Option<unknown>
  return kind.format(value)
}

type Extras = Pick<Option<unknown>, 'alsoFrom' | 'details'>

function option<T>(kind: OptionType<T>, value: NoInfer<T>, sentence: string, extras: Extras = {}): Option<T> {
  return { kind, default: value, sentence, ...extras }
}

function secretOption<T>(kind: OptionType<T>, value: NoInfer<T>, sentence: string, extras: Extras = {}): Option<T> {
  return { ...option(kind, value, sentence, extras), isSecret: true }
}
