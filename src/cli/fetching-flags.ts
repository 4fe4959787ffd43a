/** Options of `freshet edit` for how a feed is fetched and read. Secret values can be read from a file, to keep them out of the history. */
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { FetchSettingsInput, FetchSettingsShape } from '../api/index.ts'
import { InputError } from '../app/index.ts'
import type { Flags } from './command.ts'

const TEXTS = {
  userAgent: 'userAgent',
  feedProxy: 'proxy',
  bridge: 'bridge',
  content: 'content',
  remove: 'remove',
} as const

/** Flags that are not settings of the program. */
export const FETCHING_FLAGS = [
  ...Object.keys(TEXTS),
  'header',
  'cookies',
  'acceptInvalidCertificate',
  'ignoreValidators',
  'rewrite',
  'fetching',
]

export function addFetchingOptions(command: Command): void {
  command
    .option('--user-agent <text>', 'User agent for this feed.')
    .option('--header <line...>', 'Request headers, such as "X-Key: value"; without a value, the header is removed.')
    .option('--cookies <text>', 'Cookies for the server of the feed: "name=value; name=value".')
    .option('--feed-proxy <address>', 'HTTP proxy for this feed, with user name and password if needed.')
    .option(
      '--accept-invalid-certificate',
      'Accept any certificate of its server. Anyone on the way can read and change it.',
    )
    .option('--no-accept-invalid-certificate', 'Require a valid certificate again.')
    .option('--ignore-validators', 'Always request the whole document, without ETag and Last-Modified.')
    .option('--no-ignore-validators', 'Use ETag and Last-Modified again.')
    .option('--bridge <address>', 'Server that fetches the feed: an address that contains {url}.')
    .option('--content <selector>', 'CSS selector of the text on pages of its entries.')
    .option('--remove <selector>', 'CSS selector of elements to remove from these pages.')
    .option('--rewrite <rule...>', 'Rules such as "title/find/replace/" or "link|find|replace|". Replaces all rules.')
    .option('--no-fetching', 'Remove all these settings.')
}

/** The change that the flags ask for; undefined if they ask for none. An empty text removes a value. */
export function fetchingIn(flags: FlagsWithLists): FetchSettingsInput | null | undefined {
  if (flags.fetching === false) return null
  const texts = Object.entries(TEXTS).flatMap(([flag, name]) => {
    const value = flags[flag]
    return typeof value === 'string' ? [[name, value || null]] : []
  })
  const { header, cookies, acceptInvalidCertificate, ignoreValidators, rewrite } = flags
  const change: FetchSettingsInput = {
    ...Object.fromEntries(texts),
    ...(Array.isArray(header) && {
      headers: Object.fromEntries(header.map((line) => headerIn(fileOrText(line, '--header')))),
    }),
    ...(typeof cookies === 'string' && { cookies: fileOrText(cookies, '--cookies') || null }),
    ...(typeof acceptInvalidCertificate === 'boolean' && { acceptsInvalidCertificate: acceptInvalidCertificate }),
    ...(typeof ignoreValidators === 'boolean' && { ignoresValidators: ignoreValidators }),
    ...(Array.isArray(rewrite) && { rewrites: rewrite.flatMap(rewriteIn) }),
  }
  return Object.keys(change).length > 0 ? change : undefined
}

export type FlagsWithLists = Record<string, Flags[string] | string[]>

function headerIn(line: string): [string, string | null] {
  const [, name = '', value = ''] = /^\s*([^:\s]+)\s*(?::\s*(.*?)\s*)?$/.exec(line) ?? []
  if (name === '') throw new InputError('--header has no name', 'write it as "X-Key: value"')
  return [name, value || null]
}

/** An empty rule adds nothing, so that all can be removed. */
function rewriteIn(rule: string): NonNullable<FetchSettingsInput['rewrites']> {
  if (rule === '') return []
  const [, part, separator = '', rest = ''] = /^(title|link)(\W)(.*)$/.exec(rule) ?? []
  const [find = '', replace, end, ...more] = rest.split(separator || '/')
  if (!part || find === '' || replace === undefined || end !== '' || more.length > 0)
    throw new InputError(
      `--rewrite cannot be "${rule}"`,
      'write "title/find/replace/", or with | where the texts contain /',
    )
  return [{ part: part as 'title' | 'link', find, replace }]
}

/** `@file` is the content of that file. */
function fileOrText(given: string, flag: string): string {
  if (!given.startsWith('@')) return given
  try {
    return readFileSync(given.slice(1), 'utf8').trim()
  } catch (error) {
    throw new InputError(`${flag}: could not read ${given.slice(1)}`, error instanceof Error ? error.message : '')
  }
}

/** Rows for `freshet show`. */
export function fetchingRows(settings: FetchSettingsShape = {}): [string, string | undefined][] {
  const { headers, hasCookies, proxy, hasProxyLogin, acceptsInvalidCertificate, ignoresValidators, rewrites } = settings
  return [
    ['user agent', settings.userAgent],
    ['headers', headers && `${headers.join(', ')} (values are secret)`],
    ['cookies', hasCookies && 'yes, sent to its own site only'],
    ['proxy', proxy && `${proxy}${hasProxyLogin ? ' (with a login)' : ''}`],
    [
      'certificate',
      acceptsInvalidCertificate && 'any certificate is accepted: anyone on the way can change what it says',
    ],
    ['validators', ignoresValidators && 'ignored: every poll requests the whole document'],
    ['bridge', settings.bridge],
    ['content', settings.content],
    ['removed', settings.remove],
    ...(rewrites ?? []).map(({ part, find, replace }): [string, string] => [
      'rewrite',
      `${part}: ${find} -> "${replace}"`,
    ]),
  ]
}
