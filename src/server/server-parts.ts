/** Dependencies of the server. Each route takes what it needs. */
import type { BlockList } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import type { BudgetShape } from '../api/index.ts'
import type { Crawler } from '../crawl/index.ts'
import type { SendEntry } from '../destinations/index.ts'
import type { ThreadStatus } from '../model/index.ts'
import type { Clock, ContentStore, Mailer, Net, Roles, Search, SeenMember } from '../ports/index.ts'
import type { Limits } from '../scheduling/index.ts'
import type { AddressSubscriber } from './address-subscriber.ts'
import type { CheckLogin, CheckPassword, CountInvalidToken, LimitCodes } from './authenticate.ts'
import type { LoggedChange } from './change-log.ts'
import type { ClientFor } from './client-for-user.ts'
import type { DashboardServices } from './dashboard.ts'
import type { ImageProxy } from './image-proxy/image-proxy.ts'
import type { InteractionRecorder } from './interaction-recorder.ts'
import type { PreviewAddress } from './preview-address.ts'
import type { Recordings } from './recordings/recordings.ts'
import type { StatedChapters } from './recordings/stated-chapters.ts'
import type { Passkeys } from './sign-in/passkeys.ts'
import type { SecondFactors } from './sign-in/second-factor.ts'
import type { SignInSettings } from './sign-in/settings.ts'
import type { ServerWarning } from './warnings.ts'

export interface ServerParts
  extends Pick<
    Roles,
    | 'catalogue'
    | 'articleCatalogue'
    | 'groupCatalogue'
    | 'pollMarket'
    | 'users'
    | 'readerState'
    | 'sharing'
    | 'userValues'
  > {
  search: Search
  /** The content store, if there is one. */
  contentStore?: Pick<ContentStore, 'health'>
  clock: Clock
  crawler: Crawler
  /** Limits of all feeds, to explain due dates. */
  limits: Limits
  version: string
  /** The folder with the page's files; builds them first if necessary. */
  getPageFolder: () => Promise<string>
  /** The address to listen on; on loopback, requests to other host names are rejected. */
  host: string
  /** Accept requests without login even if other machines can reach the server. */
  listenWithoutLogin?: boolean
  /** Grants admin access to the command line on the same machine. */
  localKey?: string
  /** Proxies whose X-Forwarded-* headers are honored. */
  trustProxy?: BlockList
  /** How users sign in beside passwords. */
  signIn?: SignInSettings
  /** The address of this server for clients; without it, that of their requests. */
  publicUrl?: string
  /** The WebSub hub of outgoing feeds, and the public address of this server. */
  hub?: { url: string; publicUrl: string }
  /** Whether users can read all public feeds, or only those that they follow. */
  sharedReading?: boolean
  /** Whether outgoing feeds and exports contain the texts of noarchive pages. */
  includeNoArchive?: boolean
  /** Whether users load audio and video through this server. */
  proxyMedia?: boolean
  /** How many feeds a user may follow. */
  maxFeedsPerUser?: number
  /** Limit of documents that hubs push. */
  maxPushBytes?: number
  /** Aborted when the server closes, to end streams. */
  closing?: AbortSignal
  /** If other processes write to the store: calls `heard` when there may be new entries. Returns a function that stops it. */
  onNewEntries?: (listener: () => void) => () => void
  /** Fetches pictures and chapters; without it, there are none. */
  net?: Net
  /** Sends e-mail; absent if no mail server is configured. */
  mailer?: Mailer
  /** The operator, for push services; without it, no test notifications are sent. */
  pushContact?: string
  /** Sends entries to destinations; without it, they wait until a server of this store sends them. */
  sending?: {
    sendEntry: SendEntry
    /** Whether the operator named a folder for files. */
    hasFolder: boolean
    /** Called when an entry was queued. */
    onQueued: () => void | Promise<void>
  }
  /** The budget, if the configuration sets it; otherwise users can change it. */
  pollsPerDay?: number
  /** Where the configuration sets it. */
  budgetFrom?: BudgetShape['fixedBy']
  dashboard?: DashboardServices
  /** Processes of the fleet; absent in a single process. */
  fleetMembers?: () => SeenMember[]
  /** Threads of the store, if it has any. */
  threads?: () => ThreadStatus[]
  /** Concurrency of this process without a fleet. */
  slots?: number
  /** Called for each change by a user. */
  onChange?: (change: LoggedChange) => void
  /** Called with warnings for the operator. */
  onWarning?: (warning: ServerWarning) => void
  /** Used by this process through `app.request` only: internal errors are thrown, and responses have no ETag. */
  isInProcess?: true
  /** Called with internal errors, whose details are not sent to the client. */
  onInternalError?: (error: unknown, doing: string) => void
}

/** Adds services that all routes share. */
export interface SharedParts extends ServerParts {
  /** The API as a user sees it, without a socket; undefined if the user is gone. */
  clientFor: ClientFor
  previewAddress: PreviewAddress
  /** Adds addresses for users, within the limits of each and of all. */
  addressSubscriber: AddressSubscriber
  /** Records what users do with entries, for their ranking. */
  interactions: InteractionRecorder
  /** Absent if pictures are not fetched. */
  pictures?: ImageProxy
  /** Absent if nothing is fetched. */
  statedChapters?: StatedChapters
  /** Absent if users load recordings from publishers. */
  recordings?: Recordings
}

export interface AuthenticatedParts extends SharedParts {
  checkPassword: CheckPassword
  checkLogin: CheckLogin
  limitCodes: LimitCodes
  secondFactors: SecondFactors
  passkeys: Passkeys
  countInvalidToken: CountInvalidToken
  /** Reads bodies within limits; one instance for all routes, because it counts them. */
  readBody: MiddlewareHandler
  /** Whether login is required even without accounts. */
  requiresAccount: () => boolean
}
