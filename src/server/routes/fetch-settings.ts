/** Applies the fetch settings of an edit request to those of a feed. Messages never quote secret values. */
import type { FetchSettingsInput } from '../../api/index.ts'
import {
  bridgeAddress,
  type ExtractionRules,
  FETCH_SETTING_LIMITS,
  type FetchSettings,
  headerProblem,
  isEmptySettings,
  parseProxyAddress,
  valueProblem,
  type WebAddress,
} from '../../model/index.ts'
import { compileRewrites } from '../../rules/index.ts'
import { extractionProblem, omitUndefined } from '../../views/index.ts'
import { Problem } from '../problem.ts'

const EXAMPLE = 'https://news.example/feed' as WebAddress

/** Returns null if nothing remains. Throws a Problem for invalid settings. */
export function changedFetchSettings(
  before: FetchSettings = {},
  input: FetchSettingsInput,
  isAdmin: boolean,
): FetchSettings | null {
  const { content, remove, headers, proxy, rewrites } = input
  const settings: FetchSettings = { ...before }
  if (headers) setOrRemove(settings, 'headers', changedHeaders(before.headers, headers))
  setText(settings, 'userAgent', input.userAgent, 'userAgent')
  setText(settings, 'cookies', input.cookies, 'cookies')
  if (input.bridge !== undefined) setOrRemove(settings, 'bridge', checkedBridge(input.bridge))
  if (proxy !== undefined) {
    const parsed = proxy ? parseProxyAddress(proxy) : undefined
    if (proxy && !parsed)
      throw new Problem(400, 'proxy is not the address of a proxy', 'write http://proxy.example:3128')
    setOrRemove(settings, 'proxy', parsed?.proxy)
    setOrRemove(settings, 'proxyLogin', parsed?.proxyLogin)
  }
  for (const name of ['acceptsInvalidCertificate', 'ignoresValidators'] as const)
    if (input[name] !== undefined) setOrRemove(settings, name, input[name] || undefined)
  if (content !== undefined || remove !== undefined) {
    const rules = { ...before.extraction, ...omitUndefined({ content, remove }) }
    setOrRemove(settings, 'extraction', checkedExtraction(rules))
  }
  if (rewrites) {
    const compiled = compileRewrites(rewrites)
    if ('fault' in compiled) throw new Problem(400, compiled.fault, 'see docs/feed-settings.md')
    setOrRemove(settings, 'rewrites', rewrites.length > 0 ? rewrites : undefined)
  }
  setOrRemove(settings, 'byAdmin', isAdmin || undefined)
  return isEmptySettings(settings) ? null : settings
}

/** Rules without empty selectors; undefined if none remains. */
export function checkedExtraction(
  given: { [Name in keyof ExtractionRules]?: string | null | undefined },
): ExtractionRules | undefined {
  const rules = {
    ...(given.content && { content: given.content }),
    ...(given.remove && { remove: given.remove }),
  }
  const problem = extractionProblem(rules)
  if (problem) throw new Problem(400, problem, 'see docs/feed-settings.md')
  return Object.keys(rules).length > 0 ? rules : undefined
}

function setOrRemove<Name extends keyof FetchSettings>(
  settings: FetchSettings,
  name: Name,
  value: FetchSettings[Name] | undefined,
): void {
  if (value === undefined) delete settings[name]
  else settings[name] = value
}

function setText(
  settings: FetchSettings,
  name: 'userAgent' | 'cookies',
  text: string | null | undefined,
  what: string,
): void {
  if (text === undefined) return
  const problem = text ? valueProblem(what, text) : undefined
  if (problem) throw new Problem(400, problem, 'use printable characters on one line')
  setOrRemove(settings, name, text || undefined)
}

function changedHeaders(
  before: FetchSettings['headers'],
  changes: Record<string, string | null>,
): FetchSettings['headers'] {
  const headers = { ...before }
  for (const [written, value] of Object.entries(changes)) {
    const name = written.toLowerCase()
    const problem = value === null ? undefined : headerProblem(written, value)
    if (problem) throw new Problem(400, problem, 'see docs/feed-settings.md for the headers that can be set')
    if (value === null) delete headers[name]
    else headers[name] = value
  }
  const count = Object.keys(headers).length
  if (count > FETCH_SETTING_LIMITS.headers)
    throw new Problem(400, `a feed has at most ${FETCH_SETTING_LIMITS.headers} headers`, 'remove one')
  return count > 0 ? headers : undefined
}

function checkedBridge(bridge: string | null): string | undefined {
  if (!bridge) return undefined
  if (bridgeAddress(bridge, EXAMPLE)) return bridge
  throw new Problem(400, 'bridge is not a web address that contains {url}', 'write https://bridge.example/?url={url}')
}
