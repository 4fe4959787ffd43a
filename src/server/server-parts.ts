/** What the server is made of. Each resource takes from it what it needs. */
import type { BlockList } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import type { BudgetShape } from '../api/index.ts'
import type { Crawler } from '../crawl/index.ts'
import type { ThreadStatus } from '../model/index.ts'
import type { Clock, Library, Net, Roles, Search, SeenMember } from '../ports/index.ts'
import type { Limits } from '../scheduling/index.ts'
import type { CheckPassword, CountWrongToken } from './authenticate.ts'
import type { LoggedChange } from './change-log.ts'
import type { DashboardServices } from './dashboard.ts'
import type { AddressSubscriber } from './follow-addresses.ts'
import type { Pictures } from './pictures/pictures.ts'
import type { PreviewAddress } from './preview-address.ts'
import type { ServerWarning } from './warnings.ts'

export interface ServerParts
  extends Pick<
    Roles,
    'catalogue' | 'articleCatalogue' | 'groupCatalogue' | 'marketBook' | 'people' | 'readership' | 'handouts'
  > {
  search: Search
  /** Beside the store, where there is one. */
  library?: Pick<Library, 'health'>
  clock: Clock
  crawler: Crawler
  /** Those of all feeds; to say why one is polled when it is. */
  limits: Limits
  version: string
  /** Where the page's files lie, once they are made. */
  pageFolder: () => Promise<string>
  /** The address to bind to; on loopback, requests by other names are refused. */
  host: string
  /** Also where other machines can reach it; else that is refused. */
  listenWithoutLogin?: boolean
  /** Who has it may do everything: for the command line on the same machine. */
  localKey?: string
  /** Proxies whose word on where a request comes from is believed. */
  trustProxy?: BlockList
  /** Told of what changes in people's own feeds, which name it, and by which address of ours it finds them. */
  hub?: { url: string; publicUrl: string }
  /** Whether every user reads what is public, or only what they follow. */
  sharedReading?: boolean
  /** How many feeds a user may follow. */
  maxFeedsPerUser?: number
  /** The largest document that a hub may bring. */
  maxPushBytes?: number
  /** Aborted when the server closes; what would go on for ever ends then. */
  closing?: AbortSignal
  /** Where others write to the store, too: calls whenever there may be new entries, until its answer is called. */
  onNews?: (heard: () => void) => () => void
  /** By which pictures are fetched; without it none are. */
  net?: Net
  /** The budget, where the configuration names one; else people may. */
  pollsPerDay?: number
  /** Where it is named. */
  budgetFrom?: BudgetShape['fixedBy']
  /** The machines of the engine room. */
  dashboard?: DashboardServices
  /** Who is in the fleet; absent where everything is one process. */
  members?: () => SeenMember[]
  /** Of the store, where it has any. */
  threads?: () => ThreadStatus[]
  /** Of this process, where there is no fleet: how many requests may be under way. */
  hands?: number
  /** Told of what people change. */
  onChange?: (change: LoggedChange) => void
  /** Told of what an operator should look at. */
  onWarning?: (warning: ServerWarning) => void
  /** Only `app.request` is used, by this process: errors that are not the caller's fault are thrown, and answers have no ETag. */
  isInProcess?: true
  /** Told of what went wrong inside, which the one who asked is not. */
  onMistake?: (error: unknown, doing: string) => void
}

/** With what the server makes itself, once for all its resources. */
export interface SharedParts extends ServerParts {
  previewAddress: PreviewAddress
  /** Adds addresses for users, within the limits of each and of all. */
  follow: AddressSubscriber
  /** Absent where none are fetched. */
  pictures?: Pictures
}

export interface AuthenticatedParts extends SharedParts {
  checkPassword: CheckPassword
  countWrongToken: CountWrongToken
  /** Reads bodies within the limits of whoever sends them; one for all, so that the limits are. */
  readBody: MiddlewareHandler
  /** Without accounts nobody is let in, either: the first is being made. */
  isClosed: () => boolean
}
