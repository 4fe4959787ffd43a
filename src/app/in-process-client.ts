/**
 * The API client of a store that this process has opened: requests go to a server in the same process, without a socket. The command line
 * asks a local store and a remote server in the same way. Whoever can open the store sees and may change everything; with `--user` they
 * act as that user.
 */
import { type Client, createClient } from '../client/index.ts'
import { type Crawler, createIdleCrawler } from '../crawl/index.ts'
import { newSecret } from '../credentials/index.ts'
import { createServer } from '../server/index.ts'
import type { Config } from './config.ts'
import { limitsOf } from './goals.ts'
import { namedUser } from './named-user.ts'
import { VERSION } from './version.ts'
import type { OpenStore } from './wire.ts'

const URL_IN_PROCESS = 'http://localhost'

/** Without a crawler, requests that need one are answered with an error. Closes the store if there is no such user. */
export async function createInProcessClient(
  config: Config,
  opened: OpenStore & { crawler?: Crawler },
): Promise<Client> {
  const { catalogue, articleCatalogue, groupCatalogue, marketBook, people, readership, handouts } = opened
  const { search, library, clock, crawler = createIdleCrawler(opened.clock.now()) } = opened
  const { user, budget, sharedReading } = config
  if (user !== '')
    await namedUser(user, people).catch(async (error) => {
      await opened.close()
      throw error
    })
  const token = newSecret()
  const { app } = createServer({
    catalogue,
    articleCatalogue,
    groupCatalogue,
    marketBook,
    people,
    readership,
    handouts,
    search,
    ...(library && { library }),
    clock,
    crawler,
    limits: limitsOf(config),
    version: VERSION,
    pageFolder: async () => '', // the page is not served in process
    host: 'localhost',
    localKey: token,
    sharedReading,
    ...(typeof budget === 'number' && { pollsPerDay: budget }),
    isInProcess: true,
  })
  return createClient({
    url: URL_IN_PROCESS,
    token,
    ...(user && { person: user }),
    fetch: (url, init) => app.request(url, init),
  })
}
