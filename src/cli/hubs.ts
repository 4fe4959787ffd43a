/** Prints how WebSub hubs perform. */
import type { HubShape } from '../api/index.ts'
import { formatDuration } from '../model/index.ts'
import { type Io, plainLine, printTable } from './io.ts'

export function showHubs(io: Io, hubs: HubShape[]): void {
  if (hubs.length === 0) {
    io.out('no WebSub subscriptions; see docs/websub.md')
    return
  }
  const number = (value: number) => value.toLocaleString('en')
  printTable(io, hubs, [
    { title: 'feeds', of: ({ feeds }) => number(Object.values(feeds).reduce((sum, one) => sum + one)), right: true },
    { title: 'trusted', of: ({ feeds }) => number(feeds.trusted), right: true },
    { title: 'pushes', of: ({ pushes }) => number(pushes), right: true },
    { title: 'entries', of: ({ fresh }) => number(fresh), right: true },
    { title: 'half within', of: delayInWords, right: true },
    {
      title: 'missed',
      of: ({ missed, missedPolls }) => `${number(missed)} in ${number(missedPolls)} polls`,
      right: true,
    },
    { title: 'renewed', of: ({ renewals }) => number(renewals), right: true },
    { title: 'failed', of: ({ failures }) => number(failures), right: true },
    { title: 'unsigned', of: ({ unsigned }) => number(unsigned), right: true },
    { title: 'hub', of: ({ hub }) => hub, shrinks: true },
  ])
  for (const { hub, trouble } of hubs) if (trouble) io.out(plainLine(`${hub}: ${trouble.words}`))
}

function delayInWords({ delay }: HubShape): string {
  if (delay.count === 0) return '-'
  return delay.medianMs === undefined ? 'more' : formatDuration(delay.medianMs)
}
