/** The unique name of a process among those that share a store or a queue. A name is never used twice. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Config } from './config.ts'

export function memberName({ memberName: configuredName }: Pick<Config, 'memberName'>): string {
  const machine =
    hostname()
      .replace(/[^\w-]/g, '-')
      .slice(0, 40) || 'unnamed'
  return `${configuredName || machine}-${randomBytes(3).toString('hex')}`
}
