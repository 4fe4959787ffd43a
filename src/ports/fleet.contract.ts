/** The contract of every fleet. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Bucket, FeedId } from '../model/index.ts'
import type { Fleet, FleetMember } from './fleet.ts'

const fetcher = (name: string): FleetMember => {
  return {
    role: 'fetcher',
    name,
    version: '1.2.3',
    region: 'north',
    startedAt: 5,
    slots: 4,
    activeTasks: 1,
    completedTasks: 9,
  }
}

/** `ahead`: how far the clock of this process is ahead of the others. */
export function fleetContract(name: string, openOn: () => Promise<(ahead?: number) => Promise<Fleet>>): void {
  describe(`fleet: ${name}`, () => {
    const opened: Fleet[] = []
    async function many(...ahead: number[]): Promise<Fleet[]> {
      const join = await openOn()
      const fleets = await Promise.all(ahead.map((ms) => join(ms)))
      opened.push(...fleets)
      return fleets
    }
    afterEach(async () => {
      for (const fleet of opened.splice(0)) await fleet.close()
    })

    test('reports live members, their status and their clock offset', async () => {
      const [one, other] = await many(0, 3_600_000)
      other!.heartbeat(fetcher('zoe'))
      other!.heartbeat({ ...fetcher('bob'), activeTasks: 2 })
      await until(() => one!.members().length === 2)
      const [bob, zoe] = one!.members()
      expect(bob).toMatchObject({ ...fetcher('bob'), activeTasks: 2 })
      expect(zoe).toMatchObject(fetcher('zoe'))
      expect(Math.round(bob!.aheadMs / 600_000)).toBe(6)
      one!.heartbeat({
        ...fetcher('ada'),
        role: 'controller',
        quarantined: [{ name: 'zoe', reason: 'nonsense', until: 7 }],
      })
      await until(() => other!.members().length === 3)
      expect(other!.members()[0]!.quarantined).toEqual([{ name: 'zoe', reason: 'nonsense', until: 7 }])
    })

    test('wakes the owner of a bucket, or all controllers', async () => {
      const [one, other] = await many(0, 0)
      const heard: unknown[] = []
      other!.onWake((bucket, asked) => heard.push([bucket, asked]))
      one!.wake(7 as Bucket)
      one!.wake(8 as Bucket, 42 as FeedId)
      one!.wake()
      await until(() => heard.length === 3)
      expect(heard).toEqual([
        [7, undefined],
        [8, 42],
        [undefined, undefined],
      ])
    })

    test('broadcasts events to all other processes', async () => {
      const [one, other] = await many(0, 0)
      const heard: unknown[] = []
      other!.onBroadcast((what) => heard.push(what))
      one!.broadcast({ kind: 'polled', words: 'né' })
      await until(() => heard.length === 1)
      expect(heard).toEqual([{ kind: 'polled', words: 'né' }])
    })

    test('routes a question to the owner of the bucket, and rejects if nobody owns it', async () => {
      const [one, ada, bob] = await many(0, 0, 0)
      ada!.answer((bucket, question) => (bucket === 1 ? Promise.resolve({ ada: question }) : undefined))
      bob!.answer((bucket) => (bucket === 2 ? Promise.reject(new Error('not now')) : undefined))
      await until(async () => (await one!.ask(1 as Bucket, 'x').catch(() => undefined)) !== undefined)
      expect(await one!.ask(1 as Bucket, { what: 'x' })).toEqual({ ada: { what: 'x' } })
      await expect(one!.ask(2 as Bucket, 'x')).rejects.toThrow(/not now/)
      await expect(one!.ask(3 as Bucket, 'x')).rejects.toThrow(/no controller/)
    })
  })
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5))
}
