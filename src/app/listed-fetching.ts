/**
 * Settings for fetching of a source in freshet.toml. Secrets are not written there, since sources are stored as they are; admins set them with
 * `freshet edit`.
 *
 *     user-agent = "…"
 *     proxy = "http://proxy.example:3128"
 *     bridge = "https://bridge.example/?url={url}"
 *     accept-invalid-certificate = true
 *     ignore-validators = true
 *     content = ".article-body"      selectors for the text of its pages
 *     remove = ".ad, aside"
 */
import { extractionProblem } from '../articles/index.ts'
import {
  bridgeAddress,
  FETCH_SETTING_LIMITS,
  type FetchSettings,
  isEmptySettings,
  parseProxyAddress,
  valueProblem,
  type WebAddress,
} from '../model/index.ts'
import { InputError } from './addresses.ts'

const TEXTS = {
  'user-agent': 'userAgent',
  proxy: 'address',
  bridge: 'address',
  content: 'selector',
  remove: 'selector',
} as const
const SWITCHES = ['accept-invalid-certificate', 'ignore-validators'] as const

export const FETCHING_KEYS: readonly string[] = [...Object.keys(TEXTS), ...SWITCHES]

const EXAMPLE = 'https://news.example/feed' as WebAddress

/** Undefined if the table has none. */
export function parseListedFetching(table: ReadonlyMap<string, unknown>, where: string): FetchSettings | undefined {
  const text = (key: keyof typeof TEXTS): string | undefined => {
    const value = table.get(key)
    const max = FETCH_SETTING_LIMITS[TEXTS[key]]
    if (value === undefined || (typeof value === 'string' && value.length > 0 && value.length <= max)) return value
    throw new InputError(`${where}: ${key} must be a text of at most ${max} characters`, `write ${key} = "…"`)
  }
  const isOn = (key: (typeof SWITCHES)[number]): boolean => {
    const value = table.get(key)
    if (value === undefined || typeof value === 'boolean') return value === true
    throw new InputError(`${where}: ${key} must be true or false`, `write ${key} = true`)
  }
  const [userAgent, bridge, content, remove] = [text('user-agent'), text('bridge'), text('content'), text('remove')]
  const extraction = { ...(content && { content }), ...(remove && { remove }) }
  const proxy = proxyIn(text('proxy'), where)
  const problem = (userAgent && valueProblem('user-agent', userAgent)) ?? extractionProblem(extraction)
  if (problem) throw new InputError(`${where}: ${problem}`, 'see docs/feed-settings.md')
  if (bridge && !bridgeAddress(bridge, EXAMPLE))
    throw new InputError(`${where}: bridge is not a web address that contains {url}`, 'write "https://…?url={url}"')
  const settings: FetchSettings = {
    ...(userAgent && { userAgent }),
    ...(proxy && { proxy }),
    ...(bridge && { bridge }),
    ...(isOn('accept-invalid-certificate') && { acceptsInvalidCertificate: true }),
    ...(isOn('ignore-validators') && { ignoresValidators: true }),
    ...(Object.keys(extraction).length > 0 && { extraction }),
  }
  return isEmptySettings(settings) ? undefined : { ...settings, byAdmin: true }
}

function proxyIn(written: string | undefined, where: string): string | undefined {
  const parsed = written === undefined ? undefined : parseProxyAddress(written)
  if (parsed?.proxyLogin)
    throw new InputError(`${where}: proxy contains a password`, 'set it with freshet edit --feed-proxy instead')
  if (written !== undefined && !parsed)
    throw new InputError(`${where}: proxy is not the address of a proxy`, 'write proxy = "http://proxy.example:3128"')
  return parsed?.proxy
}
