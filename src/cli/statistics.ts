/** What was said, and how much of it had been said before, on one screen. */
import type { StatisticsShape } from '../api/index.ts'
import { formatDuration, formatSize } from '../model/index.ts'
import { count, type Io, plainLine, table } from './io.ts'

const FEEDS = 20
const FAILURES = 8
const TEXTS = 5
const BAR = 30

export function showStatistics(io: Io, statistics: StatisticsShape): void {
  const { since, byFeed, byHour, polls, failures, failureTexts, runs, discovery, ...all } = statistics
  io.out(`since ${since}`)
  io.out(
    `${count(all.entries, 'entry', 'entries')}, ${all.copies.toLocaleString('en')} of them copies (${percent(all.share)}); ${count(all.stories, 'story', 'stories')} with several entries`,
  )
  io.out(
    `${count(polls.count, 'poll')}, ${polls.failed.toLocaleString('en')} failed; ${formatSize(polls.bytes)} in ${formatDuration(polls.tookMs)}`,
  )
  for (const failure of failures.slice(0, FAILURES))
    io.out(`  ${failure.count.toLocaleString('en').padStart(7)} times ${failure.words}`)
  for (const text of failureTexts.slice(0, TEXTS))
    io.out(plainLine(`  ${text.count.toLocaleString('en').padStart(7)} of them: ${text.words}`))
  if (runs.count > 0) io.out(`${count(runs.count, 'run')}, ${formatDuration(runs.ms)} in all`)
  const ways = Object.entries(discovery.foundBy).sort(([, a], [, b]) => b - a)
  if (ways.length > 0) io.out(`feeds found by ${ways.map(([way, feeds]) => `${way} ${feeds}`).join(', ')}`)
  const { shared, apart } = discovery.fragments
  if (shared + apart > 0)
    io.out(`links with fragments in ${count(shared + apart, 'feed')}: removed in ${shared}, kept in ${apart}`)
  if (byFeed.length === 0) return
  io.out('')
  table(io, byFeed.slice(0, FEEDS), [
    { title: 'feed', of: ({ feedId }) => String(feedId), right: true },
    { title: 'entries', of: ({ entries }) => entries.toLocaleString('en'), right: true },
    { title: 'copies', of: ({ copies }) => copies.toLocaleString('en'), right: true },
    { title: 'share', of: ({ share }) => percent(share), right: true },
    { title: 'title', of: ({ feedTitle }) => feedTitle ?? '', gives: true },
  ])
  if (byFeed.length > FEEDS) io.out(`and ${byFeed.length - FEEDS} more`)
  io.out('')
  const most = Math.max(1, ...byHour.map(({ entries }) => entries))
  const hours = byHour.map((hour, i) => ({ ...hour, name: `${String(i).padStart(2, '0')}:00` }))
  table(io, hours, [
    { title: 'UTC', of: ({ name }) => name },
    { title: 'entries', of: ({ entries }) => entries.toLocaleString('en'), right: true },
    { title: 'copies', of: ({ copies }) => copies.toLocaleString('en'), right: true },
    { title: 'share', of: ({ share }) => percent(share), right: true },
    { title: '', of: ({ entries }) => '#'.repeat(Math.round((entries / most) * BAR)) },
  ])
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`
}
