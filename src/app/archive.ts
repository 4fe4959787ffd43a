/**
 * The archive of a crawl: writes every exchange to WARC files in a folder, except pages that ask not to be archived
 * (noindex or noarchive in X-Robots-Tag or the robots meta tag).
 */
import type { Exchange } from '../archive/exchange.ts'
import { ArchiveError, openWarcFolder } from '../archive/warc-archive.ts'
import { pageDirectives } from '../politeness/index.ts'
import type { Clock } from '../ports/index.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { userAgent } from './version.ts'

export interface Archive {
  /** `body`: the decoded response body. */
  write(exchange: Exchange, body: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** Throws a ConfigError if the folder is not writable. */
export async function openArchive(config: Config, clock: Clock): Promise<Archive> {
  try {
    const archive = await openWarcFolder(config.archive, {
      maxFileBytes: config.archiveFileSize,
      software: userAgent(config.contact),
      now: clock.now,
    })
    return {
      write: async (exchange, body) => (mayArchive(exchange, body) ? archive.write(exchange) : undefined),
      close: archive.close,
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw new ConfigError(error.message, 'check that --archive is a writable folder')
    throw error
  }
}

function mayArchive({ response }: Exchange, body: Uint8Array): boolean {
  const header = response.headers.flatMap(([name, value]) => (/^x-robots-tag$/i.test(name) ? [value] : []))
  const { noIndex, noArchive } = pageDirectives(header.join(', '), robotsMetaContents(body))
  return !noIndex && !noArchive
}

const HEAD_BYTES = 200_000 // meta tags are at the start of a page

function robotsMetaContents(body: Uint8Array): string[] {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, HEAD_BYTES)).toString('latin1')
  return Array.from(head.matchAll(/<meta\b[^>]{0,1000}/gi), ([tag]) => tag)
    .filter((tag) => /\sname\s*=\s*["']?(?:robots|freshet)\b/i.test(tag))
    .flatMap((tag) => /\scontent\s*=\s*(?:"([^"]*)|'([^']*)|([^\s"'>]+))/i.exec(tag)?.slice(1).filter(Boolean) ?? [])
}
