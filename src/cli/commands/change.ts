/** `freshet pause`, `resume` and `remove`: one person's word about one or more feeds. */
import type { Command } from 'commander'
import { type Desk, openDesk, openReading } from '../../app/index.ts'
import type { ScheduledFeed } from '../../model/index.ts'
import { configOf, type Flags, withExamples, withSettings } from '../command.ts'
import { feedMeant } from '../feed-word.ts'
import { type Io, plainLine, printJson } from '../io.ts'

export function changeCommands(program: Command, io: Io): void {
  const one = (name: 'pause' | 'resume' | 'remove', done: string, about: string) => {
    const command = program
      .command(name)
      .summary(about.toLowerCase().replace(/\..*$/s, ''))
      .description(`${about} If a crawl is running on the store, it is asked to do it.`)
      .argument('<feed...>', 'the number, address or title of a feed')
      .option('--json', 'one JSON object a line')
      .action(async (words: string[], flags: Flags) => change(io, words, flags, (desk, id) => desk[name](id), done))
    withSettings(command, ['store'])
    withExamples(command, `freshet ${name} 3`, `freshet ${name} https://example.org/feed.xml`)
  }
  one('pause', 'paused', 'Stop polling a feed for now. Its entries stay.')
  one('resume', 'resumed', 'Poll a paused feed again. One that was given up as gone is tried again, too.')
  one('remove', 'removed', 'Remove a feed with its entries and its log.')
}

async function change(
  io: Io,
  words: string[],
  flags: Flags,
  ask: (desk: Desk, feedId: number) => Promise<boolean>,
  done: string,
): Promise<void> {
  const config = configOf(io, flags)
  const reading = await openReading(config)
  const meant: ScheduledFeed[] = []
  try {
    for (const word of words) meant.push(await feedMeant(word, reading))
  } finally {
    await reading.close()
  }
  const desk = await openDesk(config)
  try {
    for (const { feed } of meant) {
      const found = await ask(desk, feed.id)
      if (flags.json) printJson(io, { feedId: feed.id, url: feed.url, [done]: found })
      else
        io.out(
          plainLine(found ? `${done}: feed ${feed.id}, ${feed.title || feed.url}` : `feed ${feed.id} was gone already`),
        )
    }
  } finally {
    await desk.close()
  }
}
