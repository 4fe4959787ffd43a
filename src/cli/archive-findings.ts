/** Prints how today's code would process an archive differently from the store. */
import type { ArchiveFindings } from '../lab/index.ts'
import { count, type Io, plainLine, printTable } from './io.ts'

const MAX_SHOWN = 20

export function printArchiveFindings(io: Io, findings: ArchiveFindings): void {
  const { exchanges, compared, differing, unmatched, differences } = findings
  io.out(
    `${count(exchanges, 'exchange')} in the archive, ${unmatched.toLocaleString('en')} without a record in the store`,
  )
  const rows = [
    { what: 'polls', of: compared.polls, differ: differing.poll },
    { what: 'entries', of: compared.entries, differ: differing.entry },
    { what: 'dates', of: compared.entries + compared.articles, differ: differing.date },
    { what: 'texts', of: compared.entries + compared.articles, differ: differing.text },
    { what: 'due dates', of: compared.due, differ: differing.due },
  ]
  printTable(io, rows, [
    { title: '', of: ({ what }) => what },
    { title: 'compared', of: ({ of }) => of.toLocaleString('en'), right: true },
    { title: 'differ', of: ({ differ }) => differ.toLocaleString('en'), right: true },
  ])
  const total = Object.values(differing).reduce((sum, one) => sum + one, 0)
  if (total === 0) io.out('no differences')
  for (const { kind, url, of, was, is } of differences.slice(0, MAX_SHOWN)) {
    io.out(plainLine(`${kind}: ${of}, ${url}`))
    io.out(`    then  ${plainLine(was)}`)
    io.out(`    now   ${plainLine(is)}`)
  }
  if (total > MAX_SHOWN) io.out(`and ${(total - MAX_SHOWN).toLocaleString('en')} more; --json has them`)
}
