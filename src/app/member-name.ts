/** What a process is called among those who share a store or a queue; nobody else has the same name, nor had it before. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Config } from './config.ts'

export function memberName({ memberName: given }: Pick<Config, 'memberName'>): string {
  const machine =
    hostname()
      .replace(/[^\w-]/g, '-')
      .slice(0, 40) || 'somebody'
  return `${given || machine}-${randomBytes(3).toString('hex')}`
}
