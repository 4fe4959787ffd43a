/** All operations, by operation id. */
import * as budget from './operations/budget.ts'
import * as dashboard from './operations/dashboard.ts'
import * as destinations from './operations/destinations.ts'
import * as entries from './operations/entries.ts'
import * as exports from './operations/exports.ts'
import * as feeds from './operations/feeds.ts'
import * as feedsOut from './operations/feeds-out.ts'
import * as fetchers from './operations/fetchers.ts'
import * as folders from './operations/folders.ts'
import * as forYou from './operations/for-you.ts'
import * as groups from './operations/groups.ts'
import * as hubs from './operations/hubs.ts'
import * as labels from './operations/labels.ts'
import * as notifications from './operations/notifications.ts'
import * as pictures from './operations/pictures.ts'
import * as playback from './operations/playback.ts'
import * as polls from './operations/polls.ts'
import * as readState from './operations/read-state.ts'
import * as recordings from './operations/recordings.ts'
import * as rules from './operations/rules.ts'
import * as session from './operations/session.ts'
import * as sharing from './operations/sharing.ts'
import * as signIn from './operations/sign-in.ts'
import * as sources from './operations/sources.ts'
import * as status from './operations/status.ts'
import * as stream from './operations/stream.ts'
import * as subscriptions from './operations/subscriptions.ts'
import * as users from './operations/users.ts'

export const OPERATIONS = {
  ...status,
  ...feeds,
  ...entries,
  ...groups,
  ...subscriptions,
  ...readState,
  ...playback,
  ...forYou,
  ...labels,
  ...rules,
  ...notifications,
  ...sharing,
  ...destinations,
  ...sources,
  ...folders,
  ...budget,
  ...polls,
  ...session,
  ...signIn,
  ...users,
  ...feedsOut,
  ...stream,
  ...exports,
  ...pictures,
  ...recordings,
  ...hubs,
  ...dashboard,
  ...fetchers,
}

export type Operations = typeof OPERATIONS
