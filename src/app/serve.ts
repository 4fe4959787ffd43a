/** Puts the page and the API before a crawl. */
import type { Crawler } from '../crawl/index.ts'
import { networkList } from '../net/address-guard.ts'
import type { SeenMember } from '../ports/index.ts'
import { createServer, type LoggedChange, type ServerWarning } from '../server/index.ts'
import type { Config } from './config.ts'
import { createEngineRoom } from './engine-room.ts'
import { limitsOf } from './goals.ts'
import { writeLocalKey } from './local-key.ts'
import { type Log, logChange, logWarning } from './log.ts'
import { memberName } from './member-name.ts'
import { createOutageLog } from './outage-log.ts'
import { createPageFolder } from './page-folder.ts'
import type { Configured } from './read-config.ts'
import { startWebhooks } from './start-webhooks.ts'
import { VERSION } from './version.ts'
import { httpNet, type OpenStore } from './wire.ts'

/** For who wonders why it cannot be changed on the page. */
function budgetFrom(origins?: Configured['origins']) {
  const origin = origins?.budget
  return origin && origin !== 'default' ? { budgetFrom: origin } : {}
}

/** What a server is put before: a crawl of this process, or those of others (fleet.ts). */
export interface Served extends OpenStore {
  crawler: Crawler
  announce(url: string): void | Promise<void>
  /** Its name among those who share the store; without it, one is made. */
  name?: string
  /** Who is in the fleet, where there is one. */
  members?: () => SeenMember[]
}

/** Resolves when it listens, and the store tells others where. */
export async function startServer(
  config: Config,
  crawl: Served,
  log: Log,
  origins?: Configured['origins'],
): Promise<{ url: string; setUpUrl?: string; close(): Promise<void> }> {
  const { catalogue, articleCatalogue, groupCatalogue, marketBook, people, readership, handouts } = crawl
  const { search, library, clock, crawler, announce, onNews, members, threads } = crawl
  const { host, port, listenWithoutLogin, maxBody } = config
  const outages = createOutageLog({ log, clock })
  outages.watch({ store: catalogue.newestEntryId })
  const net = httpNet(config) // of its own: pictures are not for the archive
  const onChange = (change: LoggedChange) => logChange(log, change)
  const onWarning = (warning: ServerWarning) => logWarning(log, warning)
  const parts = {
    catalogue,
    articleCatalogue,
    groupCatalogue,
    marketBook,
    people,
    readership,
    handouts,
    search,
    clock,
    crawler,
    ...(library && { library }),
    limits: limitsOf(config),
    version: VERSION,
    pageFolder: createPageFolder(),
    maxPushBytes: maxBody,
    maxFeedsPerUser: config.maxFeedsPerUser,
    sharedReading: config.sharedReading,
    net,
    dashboard: createEngineRoom(config, crawl, net, origins),
    onMistake: outages.mistake,
    onChange,
    onWarning,
    hands: config.concurrency,
    ...(config.publishHub && { hub: { url: config.publishHub, publicUrl: config.publicUrl } }),
    ...(members && { members }),
    ...(threads && { threads }),
    ...(onNews && { onNews }),
    ...(typeof config.budget === 'number' && { pollsPerDay: config.budget, ...budgetFrom(origins) }),
  }
  const localKey = await writeLocalKey(config.store)
  const trustProxy = networkList([...config.trustProxy])
  const server = createServer({ ...parts, host, listenWithoutLogin, localKey, trustProxy })
  const listening = await server.listen(port)
  await announce(listening.url)
  const { leadership, name = memberName(config) } = crawl
  const endWebhooks = startWebhooks({ ...parts, leadership, name }, log)
  return {
    url: listening.url,
    ...(listening.setUpUrl && { setUpUrl: listening.setUpUrl }),
    async close() {
      await listening.close()
      await endWebhooks()
      await net.close()
      outages.close()
    },
  }
}
