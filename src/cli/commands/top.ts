/**
 * `freshet top`: the crawl as it goes. How it stands is asked every two seconds, what happens comes by the stream; a server that goes
 * away is asked again until it is back. Where the output is no terminal, what happens is told line by line.
 */
import type { Command } from 'commander'
import { type Config, runningCrawl } from '../../app/index.ts'
import { type Client, ClientError } from '../../client/index.ts'
import { MINUTE, SECOND } from '../../model/index.ts'
import { configOf, endOf, type Flags, PLACE_OPTIONS, withExamples, withSettings } from '../command.ts'
import { type Io, plainLine, type Screen } from '../io.ts'
import { happening, type Known, pictureOf, withFleet, withMessage, withSilence, withStatus } from '../top-picture.ts'

const ASK_EVERY_MS = 2 * SECOND
const DRAW_EVERY_MS = SECOND / 4
const LONGEST_PAUSE_MS = 15 * SECOND
const ONCE_ROWS = 60

export function topCommand(command: Command, io: Io): void {
  command
    .description(
      'Watch the crawl live.\nShows polls, new entries, rates, failing hosts, budget, queue and fetchers. Press q to quit. Prints lines when the output is not a terminal.',
    )
    .option('--once', 'Print one screen and exit.')
    .option('--for <time>', 'Exit after this time, such as 10m.')
    .action(async (flags: Flags) => top(io, flags))
  withSettings(command, PLACE_OPTIONS)
  withExamples(command, 'freshet top', 'freshet top --once', 'freshet top --server news.example.org')
}

async function top(io: Io, flags: Flags): Promise<void> {
  const config = configOf(io, flags)
  if (flags.once) return once(io, config)
  const quit = new AbortController()
  const until = AbortSignal.any([endOf(flags, io.interrupted), quit.signal])
  const { url, client } = await runningCrawl(config)
  const known: { now: Known } = { now: { place: url, samples: [], happened: [] } }
  const screen = io.openScreen?.()
  if (screen) await draw(io, screen, known, client, until, () => quit.abort())
  else await tell(io, known, client, until)
}

async function once(io: Io, config: Config): Promise<void> {
  const { url, client } = await runningCrawl(config)
  const asked = withStatus({ place: url, samples: [], happened: [] }, await client.getStatus(), io.now())
  const known = await askedOfFleet(client, asked)
  for (const line of pictureOf(known, io.now(), ONCE_ROWS)) io.out(plainLine(line) === '' ? '' : line)
}

async function draw(
  io: Io,
  screen: Screen,
  known: { now: Known },
  client: Client,
  until: AbortSignal,
  quit: () => void,
): Promise<void> {
  const redraw = () => screen.draw(pictureOf(known.now, io.now(), screen.size().rows))
  const timer = setInterval(redraw, DRAW_EVERY_MS)
  screen.onResize(redraw)
  screen.onKey((key) => (key === 'q' || key === 'Q' || key === '\u0003') && quit())
  try {
    await Promise.all([
      keepAsking(io, client, until, known),
      follow(client, until, (message) => {
        known.now = withMessage(known.now, message)
      }),
    ])
  } finally {
    clearInterval(timer)
    screen.close()
  }
}

/** Once a minute how it stands; in between what happens. */
async function tell(io: Io, known: { now: Known }, client: Client, until: AbortSignal): Promise<void> {
  let toldAt = Number.NEGATIVE_INFINITY
  let isLost = false
  const onStatus = () => {
    const { silence, status } = known.now
    if (silence !== undefined && !isLost) io.note(plainLine(`no answer: ${silence.words}; asking again`))
    if (silence === undefined && isLost) io.note('it answers again')
    isLost = silence !== undefined
    if (!status || silence || io.now() - toldAt < MINUTE) return
    toldAt = io.now()
    const head = pictureOf({ ...known.now, happened: [] }, io.now(), 0)
    for (const line of head) io.out(`${status.now.slice(11, 19)}  ${plainLine(line)}`)
  }
  await Promise.all([
    keepAsking(io, client, until, known, onStatus),
    follow(client, until, (message) => {
      const told = happening(message)
      if (told) io.out(`${told.at.slice(11, 19)}  ${plainLine(told.words)}`)
    }),
  ])
}

/** A server of an older version cannot say. */
async function askedOfFleet(client: Client, known: Known, until?: AbortSignal): Promise<Known> {
  try {
    return withFleet(known, await client.listFetchers({}, until))
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return known
    throw error
  }
}

async function keepAsking(
  io: Io,
  client: Client,
  until: AbortSignal,
  known: { now: Known },
  onStatus: () => void = () => {},
): Promise<void> {
  while (!until.aborted) {
    try {
      known.now = withStatus(known.now, await client.getStatus({}, until), io.now())
      known.now = await askedOfFleet(client, known.now, until)
    } catch (error) {
      if (until.aborted) return
      if (isFinal(error)) throw error
      known.now = withSilence(known.now, error instanceof Error ? error.message : String(error), io.now())
    }
    onStatus()
    await pause(ASK_EVERY_MS, until)
  }
}

/** From the entry after the last that was told, however often the stream breaks off. */
async function follow(
  client: Client,
  until: AbortSignal,
  heard: (message: Parameters<typeof happening>[0]) => void,
): Promise<void> {
  let after: number | undefined
  let pauseMs = SECOND
  while (!until.aborted) {
    try {
      for await (const message of client.openStream({ query: { kinds: 'entries,polls,trouble', after } }, until)) {
        after = message.id
        pauseMs = SECOND
        heard(message)
      }
    } catch (error) {
      if (until.aborted) return
      if (isFinal(error)) throw error
    }
    await pause(pauseMs, until)
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
  }
}

/** Who may not look will not be let in by asking again. */
function isFinal(error: unknown): boolean {
  return !(error instanceof ClientError) || error.status === 401 || error.status === 403
}

function pause(ms: number, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (until.aborted) return resolve()
    const timer = setTimeout(done, ms)
    until.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      until.removeEventListener('abort', done)
      resolve()
    }
  })
}
