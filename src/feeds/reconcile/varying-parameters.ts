/**
 * Links that differ on each fetch in one parameter only: a session id, a tracking token. Such parameters are detected by comparing the
 * links of known entries with the next window, and are removed from then on: otherwise every entry would change at every poll and its
 * page would be fetched again.
 */

/** The stored link of an entry, and its current one. */
export type LinkPair = readonly [before: string, now: string]

const MIN_LINKS = 2
const MIN_DIFFERING_SHARE = 0.8
const MAX_VARYING = 5

/**
 * Names of parameters that vary while everything else stays the same; path parameters, as in `/a;jsessionid=1`, start with a semicolon.
 * Empty unless nearly all links differ in just these, and remain distinct without them.
 */
export function varyingParameters(pairs: readonly LinkPair[]): string[] {
  const varying = new Set<string>()
  let differing = 0
  for (const [before, now] of pairs) {
    if (before === now) continue
    const names = differingNames(before, now)
    if (names === undefined) return []
    differing++
    for (const name of names) varying.add(name)
  }
  const names = [...varying]
  const isConsistent =
    differing >= MIN_LINKS && differing >= MIN_DIFFERING_SHARE * pairs.length && names.length <= MAX_VARYING
  if (!isConsistent) return []
  const links = new Set(pairs.map(([, now]) => now))
  const clean = new Set([...links].map((link) => removeParameters(link, names)))
  return clean.size === links.size ? names : []
}

/** The address without these parameters; the rest keeps its spelling. */
export function removeParameters(address: string, names: readonly string[]): string {
  const { path, query, fragment } = partsOf(address)
  const segments = path.split(';').filter((part, i) => i === 0 || !names.includes(`;${nameOf(part)}`))
  const parameters = query?.split('&').filter((parameter) => !names.includes(nameOf(parameter)))
  const search = parameters === undefined || parameters.length === 0 ? '' : `?${parameters.join('&')}`
  return `${segments.join(';')}${search}${fragment}`
}

/** Names of parameters whose values differ; undefined if anything else differs. */
function differingNames(before: string, now: string): string[] | undefined {
  const [a, b] = [partsOf(before), partsOf(now)]
  const [oldParameters, newParameters] = [parametersOf(a), parametersOf(b)]
  if (a.path.split(';', 1)[0] !== b.path.split(';', 1)[0] || a.fragment !== b.fragment) return undefined
  if (oldParameters.length !== newParameters.length || oldParameters.some(([name], i) => name !== newParameters[i]![0]))
    return undefined
  return oldParameters.filter(([, value], i) => value !== newParameters[i]![1]).map(([name]) => name)
}

function parametersOf({ path, query = '' }: Parts): [name: string, value: string][] {
  const inPath = path.split(';').slice(1)
  const inQuery = query.split('&').filter((parameter) => parameter !== '')
  return [
    ...inPath.map((part): [string, string] => [`;${nameOf(part)}`, part]),
    ...inQuery.map((part): [string, string] => [nameOf(part), part]),
  ]
}

interface Parts {
  path: string
  query: string | undefined
  fragment: string
}

function partsOf(address: string): Parts {
  const [, path = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? []
  return { path, query, fragment }
}

function nameOf(parameter: string): string {
  return parameter.split('=', 1)[0]!
}
