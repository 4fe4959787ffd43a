/** Shared by the commands of fleet roles: settings, log and stop signal. */
import { type Config, createLog, createOutageLog, type Log, type OutageLog } from '../app/index.ts'
import { configOf, type Flags, stopSignal } from './command.ts'
import type { Io } from './io.ts'

export interface RoleSession {
  config: Config
  log: Log
  signal: AbortSignal
  events: OutageLog
}

export function roleSession(io: Io, flags: Flags): RoleSession {
  const config = configOf(io, flags)
  const format = flags.json ? 'json' : config.logFormat
  const log = createLog({ level: config.log, format, now: io.now, write: io.out })
  return { config, log, signal: stopSignal(flags, io.interrupted), events: createOutageLog({ log }) }
}
