/** Sends entries to destinations, with the HTTP client and the folder of the configuration. */
import { createSendEntry, type SendEntry } from '../destinations/index.ts'
import type { Clock, Net, Users } from '../ports/index.ts'
import type { Config } from './config.ts'
import { createNoteFolder } from './note-folder.ts'

interface Parts {
  net: Net
  users: Users
  clock: Clock
}

export function createEntrySender({ notesFolder }: Pick<Config, 'notesFolder'>, parts: Parts): SendEntry {
  const { net, users, clock } = parts
  return createSendEntry({
    net,
    now: clock.now,
    ...(notesFolder && { writeNote: createNoteFolder(notesFolder, users) }),
  })
}
