/**
 * Makes a loopback address unreachable: the kernel drops packets sent to it, while other addresses of the same process stay reachable.
 * Needs root; otherwise it returns the reason.
 */
import { spawnSync } from 'node:child_process'

/** The reason why no address can be cut here; undefined if one can. */
export function whyNotUnreachable(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can cut an address'
  const { status, error } = spawnSync('ip', ['-V'])
  return status === 0 ? undefined : `there is no ip command: ${error?.message ?? status}`
}

const cut = new Set<string>()

/** Until it is restored, or the process ends. */
export function makeUnreachable(address: string): void {
  if (!/^127\.\d+\.\d+\.\d+$/.test(address)) throw new Error(`${address} is no address of loopback`)
  if (cut.has(address)) return
  runIp('add', address)
  cut.add(address)
  if (cut.size === 1) process.on('exit', joinAll)
}

export function makeReachable(address: string): void {
  if (!cut.delete(address)) return
  runIp('del', address)
  if (cut.size === 0) process.off('exit', joinAll)
}

function joinAll(): void {
  for (const address of cut) makeReachable(address)
}

function runIp(what: 'add' | 'del', address: string): void {
  const { status, stderr } = spawnSync('ip', ['route', what, 'blackhole', `${address}/32`, 'table', 'local'])
  if (status !== 0) throw new Error(`ip route ${what} ${address} failed: ${String(stderr).trim()}`)
}
