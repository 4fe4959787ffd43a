/**
 * An address of loopback at which nothing arrives any more: the kernel is told to throw away whatever is sent there. Other addresses of the
 * same process are reached as before. Only root may tell it so; elsewhere the reason is said.
 */
import { spawnSync } from 'node:child_process'

/** Why no address can be cut here, or nothing if one can. */
export function whyNoCutting(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can cut an address'
  const { status, error } = spawnSync('ip', ['-V'])
  return status === 0 ? undefined : `there is no ip command: ${error?.message ?? status}`
}

const cut = new Set<string>()

/** Until it is joined again, or the process ends. */
export function cutAddress(address: string): void {
  if (!/^127\.\d+\.\d+\.\d+$/.test(address)) throw new Error(`${address} is no address of loopback`)
  if (cut.has(address)) return
  told('add', address)
  cut.add(address)
  if (cut.size === 1) process.on('exit', joinAll)
}

export function joinAddress(address: string): void {
  if (!cut.delete(address)) return
  told('del', address)
  if (cut.size === 0) process.off('exit', joinAll)
}

function joinAll(): void {
  for (const address of cut) joinAddress(address)
}

function told(what: 'add' | 'del', address: string): void {
  const { status, stderr } = spawnSync('ip', ['route', what, 'blackhole', `${address}/32`, 'table', 'local'])
  if (status !== 0) throw new Error(`ip route ${what} ${address} failed: ${String(stderr).trim()}`)
}
