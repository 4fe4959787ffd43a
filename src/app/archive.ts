/** The archive of a crawl: what the way out hands over goes to WARC files in a folder. */
import { ArchiveError, type Exchange, openWarcFolder } from '../drivers/index.ts'
import type { Clock } from '../ports/index.ts'
import { type Config, ConfigError } from './config.ts'
import { userAgent } from './version.ts'

export interface Archive {
  write(exchange: Exchange): Promise<void>
  close(): Promise<void>
}

/** Throws a ConfigError where there can be none. */
export async function openArchive(config: Config, clock: Clock): Promise<Archive> {
  try {
    return await openWarcFolder(config.archive, {
      maxFileBytes: config.archiveFile,
      software: userAgent(config.contact),
      now: clock.now,
    })
  } catch (error) {
    if (error instanceof ArchiveError)
      throw new ConfigError(error.message, 'is --archive a folder that can be written?')
    throw error
  }
}
