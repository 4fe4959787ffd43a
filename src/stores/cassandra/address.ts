/** Parses cluster addresses: `cassandra://[user:password@]host[:port][,host...]/keyspace[?dc=...&copies=3&keep=400]`. */
import { HintedError } from '../../model/index.ts'

export interface ClusterAddress {
  contactPoints: string[]
  keyspace: string
  /** The local data center; requests go to no other. */
  dataCentre: string
  /** Replication factor, used when the keyspace is created. */
  copies: number
  /** Days after which content expires; 0: never. */
  keepDays: number
  credentials?: { username: string; password: string }
}

const DEFAULT_PORT = '9042'
const MAX_KEEP_DAYS = 7300 // Cassandra's own limit is 20 years

export function parseClusterAddress(text: string): ClusterAddress {
  const parts = /^cassandra:\/\/(?:([^@/]*)@)?([^/?]+)\/([A-Za-z][A-Za-z0-9_]{0,47})(?:\?(.*))?$/.exec(text)
  if (!parts) throw invalidAddress(text, 'it does not have the form of one')
  const [, login, hosts, keyspace, query] = parts
  const parameters = new URLSearchParams(query)
  for (const name of parameters.keys())
    if (!PARAMETERS.has(name)) throw invalidAddress(text, `unknown parameter "${name}"`)
  const contactPoints = hosts!.split(',').map((host) => (/:\d+$/.test(host) ? host : `${host}:${DEFAULT_PORT}`))
  return {
    contactPoints,
    keyspace: keyspace!.toLowerCase(),
    dataCentre: parameters.get('dc') ?? 'datacenter1',
    copies: numberParameter(text, parameters, 'copies', 1, 1, 9),
    keepDays: numberParameter(text, parameters, 'keep', 0, 0, MAX_KEEP_DAYS),
    ...(login && { credentials: parseCredentials(login) }),
  }
}

const PARAMETERS = new Set(['dc', 'copies', 'keep'])

function parseCredentials(login: string): { username: string; password: string } {
  const [username, ...rest] = login.split(':')
  return { username: decodeURIComponent(username!), password: decodeURIComponent(rest.join(':')) }
}

function numberParameter(
  text: string,
  parameters: URLSearchParams,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const value = parameters.get(name)
  if (value === null) return fallback
  const number = Number(value)
  if (!Number.isInteger(number) || number < min || number > max)
    throw invalidAddress(text, `"${name}" must be a whole number from ${min} to ${max}`)
  return number
}

function invalidAddress(text: string, why: string): HintedError {
  const redacted = text.replace(/\/\/[^@/]*@/, '//...@')
  return new HintedError(
    `${redacted} is not the address of a Cassandra cluster: ${why}`,
    'Write cassandra://host:9042/keyspace, optionally followed by ?dc=NAME&copies=3&keep=DAYS.',
  )
}
