/** What the server is made of. Each resource takes from it what it needs. */
import type { BlockList } from 'node:net'
import type { Crawler } from '../crawl/index.ts'
import type { Limits } from '../polling/index.ts'
import type { Clock, Library, Net, Roles, Search } from '../ports/index.ts'
import type { Change } from './changes.ts'

export interface ServerParts extends Pick<Roles, 'catalogue' | 'groupCatalogue' | 'marketBook' | 'people'> {
  search: Search
  /** Beside the store, where there is one. */
  library?: Pick<Library, 'health'>
  clock: Clock
  crawler: Crawler
  /** Those of all feeds; to say why one is polled when it is. */
  limits: Limits
  version: string
  /** Where the page's files lie. */
  webDir: string
  /** The address to bind to; on loopback, requests by other names are refused. */
  host: string
  /** Also where other machines can reach it; else that is refused. */
  listenWithoutLogin?: boolean
  /** Who has it may do everything: for the command line on the same machine. */
  localKey?: string
  /** Proxies whose word on where a request comes from is believed. */
  trustProxy?: BlockList
  /** The largest document that a hub may bring. */
  maxPushBytes?: number
  /** Aborted when the server closes; what would go on for ever ends then. */
  closing?: AbortSignal
  /** By which pictures are fetched; without it none are. */
  net?: Net
  /** The budget, where one was named. */
  pollsPerDay?: number
  /** Told of what people change. */
  onChange?: (change: Change) => void
  /** Told of what went wrong inside, which the one who asked is not. */
  onMistake?: (error: unknown, doing: string) => void
}
