/** Where a cluster is, as people write it: `cassandra://[user:password@]host[:port][,host...]/keyspace[?dc=...&copies=3&keep=400]`. */
import { HintedError } from '../../model/index.ts'

export interface ClusterAddress {
  contactPoints: string[]
  keyspace: string
  /** Of the machines that are near; requests go to no other. */
  dataCentre: string
  /** On how many machines each text is, if the keyspace has still to be made. */
  copies: number
  /** After which a text expires by itself; 0: never. */
  keepDays: number
  credentials?: { username: string; password: string }
}

const DEFAULT_PORT = '9042'
const MOST_KEEP_DAYS = 7300 // Cassandra's own limit is twenty years

export function clusterAddress(text: string): ClusterAddress {
  const parts = /^cassandra:\/\/(?:([^@/]*)@)?([^/?]+)\/([A-Za-z][A-Za-z0-9_]{0,47})(?:\?(.*))?$/.exec(text)
  if (!parts) throw wrong(text, 'it is not written like one')
  const [, login, hosts, keyspace, query] = parts
  const asked = new URLSearchParams(query)
  for (const name of asked.keys()) if (!KNOWN.has(name)) throw wrong(text, `nobody knows "${name}"`)
  const contactPoints = hosts!.split(',').map((host) => (/:\d+$/.test(host) ? host : `${host}:${DEFAULT_PORT}`))
  return {
    contactPoints,
    keyspace: keyspace!.toLowerCase(),
    dataCentre: asked.get('dc') ?? 'datacenter1',
    copies: numberIn(text, asked, 'copies', 1, 1, 9),
    keepDays: numberIn(text, asked, 'keep', 0, 0, MOST_KEEP_DAYS),
    ...(login && { credentials: credentialsIn(login) }),
  }
}

const KNOWN = new Set(['dc', 'copies', 'keep'])

function credentialsIn(login: string): { username: string; password: string } {
  const [username, ...rest] = login.split(':')
  return { username: decodeURIComponent(username!), password: decodeURIComponent(rest.join(':')) }
}

function numberIn(
  text: string,
  asked: URLSearchParams,
  name: string,
  usual: number,
  least: number,
  most: number,
): number {
  const said = asked.get(name)
  if (said === null) return usual
  const number = Number(said)
  if (!Number.isInteger(number) || number < least || number > most)
    throw wrong(text, `"${name}" is a number from ${least} to ${most}`)
  return number
}

function wrong(text: string, why: string): HintedError {
  const shown = text.replace(/\/\/[^@/]*@/, '//...@')
  return new HintedError(
    `${shown} is no address of a Cassandra cluster: ${why}`,
    'Write cassandra://host:9042/keyspace, with ?dc=NAME&copies=3&keep=DAYS if you like.',
  )
}
