/**
 * A small tmpfs for a server under test, so that tests can fill its disk. Needs root to mount; otherwise it returns the reason and tests
 * that need it are skipped.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  folder: string
  /** To the last block. */
  fill(): void
  /** Frees the space again. */
  free(): void
  close(): void
}

export type MaybeDisk = { disk: SmallDisk; reason?: undefined } | { disk?: undefined; reason: string }

export function openSmallDisk(megabytes: number): MaybeDisk {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return { reason: 'only root on Linux can mount a small disk' }
  const folder = mkdtempSync(join(tmpdir(), 'freshet-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=1777`, 'tmpfs', folder])
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true })
    return { reason: `no small disk can be mounted: ${String(mounted.stderr ?? mounted.error).trim()}` }
  }
  const ballast = join(folder, 'ballast')
  const close = () => {
    process.off('exit', close)
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', close)
  return { disk: { folder, fill: () => fill(ballast), free: () => rmSync(ballast, { force: true }), close } }
}

function fill(file: string): void {
  const handle = openSync(file, 'a')
  try {
    for (const bytes of [1 << 20, 1 << 12]) {
      const block = Buffer.alloc(bytes)
      try {
        for (;;) if (writeSync(handle, block) < bytes) break
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  } finally {
    closeSync(handle)
  }
}
