/** Every operation, by its name. */
import * as budget from './operations/budget.ts'
import * as engine from './operations/dashboard.ts'
import * as entries from './operations/entries.ts'
import * as exports from './operations/exports.ts'
import * as feeds from './operations/feeds.ts'
import * as feedsOut from './operations/feeds-out.ts'
import * as terminals from './operations/fetchers.ts'
import * as folders from './operations/folders.ts'
import * as groups from './operations/groups.ts'
import * as hubs from './operations/hubs.ts'
import * as pictures from './operations/pictures.ts'
import * as polls from './operations/polls.ts'
import * as reading from './operations/read-state.ts'
import * as session from './operations/session.ts'
import * as handouts from './operations/sharing.ts'
import * as sources from './operations/sources.ts'
import * as status from './operations/status.ts'
import * as stream from './operations/stream.ts'
import * as subscriptions from './operations/subscriptions.ts'
import * as people from './operations/users.ts'

export const OPERATIONS = {
  ...status,
  ...feeds,
  ...entries,
  ...groups,
  ...subscriptions,
  ...reading,
  ...handouts,
  ...sources,
  ...folders,
  ...budget,
  ...polls,
  ...session,
  ...people,
  ...feedsOut,
  ...stream,
  ...exports,
  ...pictures,
  ...hubs,
  ...engine,
  ...terminals,
}

export type Operations = typeof OPERATIONS
