/** Prints statistics: entries, copies, polls and failures. */
import type { StatisticsShape } from '../api/index.ts'
import { formatDuration, formatSize } from '../model/index.ts'
import { count, type Io, plainLine, printTable } from './io.ts'

const MAX_FEEDS = 20
const MAX_FAILURES = 8
const MAX_TEXTS = 5
const BAR_WIDTH = 30

export function showStatistics(io: Io, statistics: StatisticsShape): void {
  const { since, byFeed, byHour, polls, failures, failureTexts, runs, discovery, ...all } = statistics
  io.out(`since ${since}`)
  io.out(
    `${count(all.entries, 'entry', 'entries')}, ${all.copies.toLocaleString('en')} of them copies (${percent(all.share)}); ${count(all.stories, 'story', 'stories')} with several entries`,
  )
  io.out(
    `${count(polls.count, 'poll')}, ${polls.failed.toLocaleString('en')} failed; ${formatSize(polls.bytes)} in ${formatDuration(polls.tookMs)}`,
  )
  for (const failure of failures.slice(0, MAX_FAILURES))
    io.out(`  ${failure.count.toLocaleString('en').padStart(7)} times ${failure.words}`)
  for (const text of failureTexts.slice(0, MAX_TEXTS))
    io.out(plainLine(`  ${text.count.toLocaleString('en').padStart(7)} of them: ${text.words}`))
  if (runs.count > 0) io.out(`${count(runs.count, 'run')}, ${formatDuration(runs.ms)} in all`)
  const ways = Object.entries(discovery.foundBy).sort(([, a], [, b]) => b - a)
  if (ways.length > 0) io.out(`feeds found by ${ways.map(([way, feeds]) => `${way} ${feeds}`).join(', ')}`)
  const { shared, apart } = discovery.fragments
  if (shared + apart > 0)
    io.out(`links with fragments in ${count(shared + apart, 'feed')}: removed in ${shared}, kept in ${apart}`)
  if (byFeed.length === 0) return
  io.out('')
  printTable(io, byFeed.slice(0, MAX_FEEDS), [
    { title: 'feed', of: ({ feedId }) => String(feedId), right: true },
    { title: 'entries', of: ({ entries }) => entries.toLocaleString('en'), right: true },
    { title: 'copies', of: ({ copies }) => copies.toLocaleString('en'), right: true },
    { title: 'share', of: ({ share }) => percent(share), right: true },
    { title: 'title', of: ({ feedTitle }) => feedTitle ?? '', shrinks: true },
  ])
  if (byFeed.length > MAX_FEEDS) io.out(`and ${byFeed.length - MAX_FEEDS} more`)
  io.out('')
  const most = Math.max(1, ...byHour.map(({ entries }) => entries))
  const hours = byHour.map((hour, i) => ({ ...hour, name: `${String(i).padStart(2, '0')}:00` }))
  printTable(io, hours, [
    { title: 'UTC', of: ({ name }) => name },
    { title: 'entries', of: ({ entries }) => entries.toLocaleString('en'), right: true },
    { title: 'copies', of: ({ copies }) => copies.toLocaleString('en'), right: true },
    { title: 'share', of: ({ share }) => percent(share), right: true },
    { title: '', of: ({ entries }) => '#'.repeat(Math.round((entries / most) * BAR_WIDTH)) },
  ])
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`
}
