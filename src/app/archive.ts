/**
 * The archive of a crawl: what the way out hands over goes to WARC files in a folder, but for pages that ask not to be kept
 * (X-Robots-Tag and the meta tag: noindex, noarchive).
 */
import type { Exchange } from '../archive/exchange.ts'
import { ArchiveError, openWarcFolder } from '../archive/warc-archive.ts'
import { pageDirectives } from '../politeness/index.ts'
import type { Clock } from '../ports/index.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { userAgent } from './version.ts'

export interface Archive {
  /** `body` is that of the answer, decoded. */
  write(exchange: Exchange, body: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** Throws a ConfigError where there can be none. */
export async function openArchive(config: Config, clock: Clock): Promise<Archive> {
  try {
    const archive = await openWarcFolder(config.archive, {
      maxFileBytes: config.archiveFileSize,
      software: userAgent(config.contact),
      now: clock.now,
    })
    return {
      write: async (exchange, body) => (mayBeKept(exchange, body) ? archive.write(exchange) : undefined),
      close: archive.close,
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw new ConfigError(error.message, 'check that --archive is a writable folder')
    throw error
  }
}

function mayBeKept({ response }: Exchange, body: Uint8Array): boolean {
  const header = response.headers.flatMap(([name, value]) => (/^x-robots-tag$/i.test(name) ? [value] : []))
  const { noIndex, noArchive } = pageDirectives(header.join(', '), robotsMetas(body))
  return !noIndex && !noArchive
}

const HEAD_BYTES = 200_000 // where such tags stand

function robotsMetas(body: Uint8Array): string[] {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, HEAD_BYTES)).toString('latin1')
  return Array.from(head.matchAll(/<meta\b[^>]{0,1000}/gi), ([tag]) => tag)
    .filter((tag) => /\sname\s*=\s*["']?(?:robots|freshet)\b/i.test(tag))
    .flatMap((tag) => /\scontent\s*=\s*(?:"([^"]*)|'([^']*)|([^\s"'>]+))/i.exec(tag)?.slice(1).filter(Boolean) ?? [])
}
