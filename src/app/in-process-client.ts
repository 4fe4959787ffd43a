/**
 * The API client of a store that this process has opened: requests go to a server in the same process, without a socket. So the command
 * line uses a local store and a remote server in the same way. A user who can open the store can read and change everything; with `--user`
 * they act as that user.
 */
import { type Client, createClient } from '../client/index.ts'
import { type Crawler, createIdleCrawler } from '../crawl/index.ts'
import { newSecret } from '../credentials/index.ts'
import type { SendEntry } from '../destinations/index.ts'
import { createServer } from '../server/index.ts'
import { createSendRunner } from '../webhooks/index.ts'
import { httpNet, type OpenStore } from './composition.ts'
import type { Config } from './config.ts'
import { createEntrySender } from './entry-sender.ts'
import { limitsOf } from './goals.ts'
import { findUser } from './named-user.ts'
import { isServer } from './store-at.ts'
import { VERSION } from './version.ts'

const URL_IN_PROCESS = 'http://localhost'

/** Without a crawler, requests that need one fail. Closes the store if there is no such user. */
export async function createInProcessClient(
  config: Config,
  openStore: OpenStore & { crawler?: Crawler },
): Promise<Client> {
  const { catalogue, articleCatalogue, groupCatalogue, pollMarket, users, readerState, sharing, userValues } = openStore
  const { search, contentStore, clock, crawler = createIdleCrawler(openStore.clock.now()) } = openStore
  const { user, budget, sharedReading } = config
  if (user !== '')
    await findUser(user, users).catch(async (error) => {
      await openStore.close()
      throw error
    })
  const token = newSecret()
  const sendEntry: SendEntry = async (...sent) => {
    const net = httpNet(config)
    return createEntrySender(config, { net, users, clock })(...sent).finally(net.close)
  }
  const sends = createSendRunner({ ...openStore, sendEntry, random: Math.random, sharedReading })
  /** Nobody else uses a store in a file now. Servers that share a store send by themselves. */
  const onQueued = () => (isServer(config.store) ? undefined : sends.runOnce())
  const { app } = createServer({
    catalogue,
    articleCatalogue,
    groupCatalogue,
    pollMarket,
    users,
    readerState,
    sharing,
    userValues,
    search,
    ...(contentStore && { contentStore }),
    clock,
    crawler,
    limits: limitsOf(config),
    version: VERSION,
    getPageFolder: async () => '', // the page is not served in process
    host: 'localhost',
    localKey: token,
    sharedReading,
    includeNoArchive: config.includeNoarchive,
    ...(typeof budget === 'number' && { pollsPerDay: budget }),
    isInProcess: true,
    sending: { sendEntry, hasFolder: config.notesFolder !== '', onQueued },
  })
  return createClient({
    url: URL_IN_PROCESS,
    token,
    ...(user && { user: user }),
    fetch: (url, init) => app.request(url, init),
  })
}
