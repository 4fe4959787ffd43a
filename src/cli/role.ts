/** What the processes of a fleet have in common on the command line: a log, a life until they are stopped, and a word at the end. */
import { type Config, createLog, createOutageLog, type Log, type OutageLog } from '../app/index.ts'
import { configOf, endOf, type Flags } from './command.ts'
import type { Io } from './io.ts'

export interface RoleSession {
  config: Config
  log: Log
  until: AbortSignal
  events: OutageLog
}

export function roleSession(io: Io, flags: Flags): RoleSession {
  const config = configOf(io, flags)
  const format = flags.json ? 'json' : config.logFormat
  const log = createLog({ level: config.log, format, now: io.now, write: io.out })
  return { config, log, until: endOf(flags, io.interrupted), events: createOutageLog({ log }) }
}
