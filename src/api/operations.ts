/** Every operation, by its name. */
import * as entries from './operations/entries.ts'
import * as feeds from './operations/feeds.ts'
import * as folders from './operations/folders.ts'
import * as groups from './operations/groups.ts'
import * as hubs from './operations/hubs.ts'
import * as polls from './operations/polls.ts'
import * as sources from './operations/sources.ts'
import * as status from './operations/status.ts'

export const OPERATIONS = { ...status, ...feeds, ...entries, ...groups, ...sources, ...folders, ...polls, ...hubs }

export type Operations = typeof OPERATIONS
