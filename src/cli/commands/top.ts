/**
 * `freshet top`: shows the crawl live. The status is polled every two seconds, and events come from the stream. If the server is
 * unavailable, both retry until it is back. If the output is not a terminal, events are printed line by line.
 */
import type { Command } from 'commander'
import { type Config, runningCrawl } from '../../app/index.ts'
import { type Client, ClientError } from '../../client/index.ts'
import { MINUTE, SECOND } from '../../model/index.ts'
import { configOf, type Flags, STORE_OPTIONS, stopSignal, withExamples, withSettings } from '../command.ts'
import { type Io, plainLine, type Screen } from '../io.ts'
import {
  describeMessage,
  renderScreen,
  type TopState,
  withFleet,
  withMessage,
  withOutage,
  withStatus,
} from '../top-screen.ts'

const STATUS_INTERVAL_MS = 2 * SECOND
const DRAW_INTERVAL_MS = SECOND / 4
const MAX_RETRY_DELAY_MS = 15 * SECOND
const ONCE_ROWS = 60

export function topCommand(command: Command, io: Io): void {
  command
    .description(
      'Watch the crawl live.\nShows polls, new entries, rates, failing hosts, budget, queue and fetchers. Press q to quit. Prints lines when the output is not a terminal.',
    )
    .option('--once', 'Print one screen and exit.')
    .option('--for <time>', 'Exit after this time, such as 10m.')
    .action(async (flags: Flags) => top(io, flags))
  withSettings(command, STORE_OPTIONS)
  withExamples(command, 'freshet top', 'freshet top --once', 'freshet top --server news.example.org')
}

async function top(io: Io, flags: Flags): Promise<void> {
  const config = configOf(io, flags)
  if (flags.once) return printOnce(io, config)
  const quit = new AbortController()
  const until = AbortSignal.any([stopSignal(flags, io.interrupted), quit.signal])
  const { url, client } = await runningCrawl(config)
  const state: { now: TopState } = { now: { location: url, samples: [], events: [] } }
  const screen = io.openScreen?.()
  if (screen) await drawScreen(io, screen, state, client, until, () => quit.abort())
  else await printEvents(io, state, client, until)
}

async function printOnce(io: Io, config: Config): Promise<void> {
  const { url, client } = await runningCrawl(config)
  const initial = withStatus({ location: url, samples: [], events: [] }, await client.getStatus(), io.now())
  const state = await withFleetStatus(client, initial)
  for (const line of renderScreen(state, io.now(), ONCE_ROWS)) io.out(plainLine(line) === '' ? '' : line)
}

async function drawScreen(
  io: Io,
  screen: Screen,
  state: { now: TopState },
  client: Client,
  until: AbortSignal,
  quit: () => void,
): Promise<void> {
  const redraw = () => screen.draw(renderScreen(state.now, io.now(), screen.size().rows))
  const timer = setInterval(redraw, DRAW_INTERVAL_MS)
  screen.onResize(redraw)
  screen.onKey((key) => (key === 'q' || key === 'Q' || key === '\u0003') && quit())
  try {
    await Promise.all([
      pollStatus(io, client, until, state),
      followStream(client, until, (message) => {
        state.now = withMessage(state.now, message)
      }),
    ])
  } finally {
    clearInterval(timer)
    screen.close()
  }
}

/** Prints the status once a minute, and events as they happen. */
async function printEvents(io: Io, state: { now: TopState }, client: Client, until: AbortSignal): Promise<void> {
  let printedAt = Number.NEGATIVE_INFINITY
  let isLost = false
  const onStatus = () => {
    const { outage, status } = state.now
    if (outage !== undefined && !isLost) io.note(plainLine(`no answer: ${outage.words}; asking again`))
    if (outage === undefined && isLost) io.note('it answers again')
    isLost = outage !== undefined
    if (!status || outage || io.now() - printedAt < MINUTE) return
    printedAt = io.now()
    const head = renderScreen({ ...state.now, events: [] }, io.now(), 0)
    for (const line of head) io.out(`${status.now.slice(11, 19)}  ${plainLine(line)}`)
  }
  await Promise.all([
    pollStatus(io, client, until, state, onStatus),
    followStream(client, until, (message) => {
      const event = describeMessage(message)
      if (event) io.out(`${event.at.slice(11, 19)}  ${plainLine(event.words)}`)
    }),
  ])
}

/** Servers of older versions do not have this endpoint. */
async function withFleetStatus(client: Client, state: TopState, until?: AbortSignal): Promise<TopState> {
  try {
    return withFleet(state, await client.listFetchers({}, until))
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return state
    throw error
  }
}

async function pollStatus(
  io: Io,
  client: Client,
  until: AbortSignal,
  state: { now: TopState },
  onStatus: () => void = () => {},
): Promise<void> {
  while (!until.aborted) {
    try {
      state.now = withStatus(state.now, await client.getStatus({}, until), io.now())
      state.now = await withFleetStatus(client, state.now, until)
    } catch (error) {
      if (until.aborted) return
      if (isFinal(error)) throw error
      state.now = withOutage(state.now, error instanceof Error ? error.message : String(error), io.now())
    }
    onStatus()
    await pause(STATUS_INTERVAL_MS, until)
  }
}

/** Follows the stream, and continues after the last entry when it breaks off. */
async function followStream(
  client: Client,
  until: AbortSignal,
  onMessage: (message: Parameters<typeof describeMessage>[0]) => void,
): Promise<void> {
  let after: number | undefined
  let pauseMs = SECOND
  while (!until.aborted) {
    try {
      for await (const message of client.openStream({ query: { kinds: 'entries,polls,trouble', after } }, until)) {
        after = message.id
        pauseMs = SECOND
        onMessage(message)
      }
    } catch (error) {
      if (until.aborted) return
      if (isFinal(error)) throw error
    }
    await pause(pauseMs, until)
    pauseMs = Math.min(2 * pauseMs, MAX_RETRY_DELAY_MS)
  }
}

/** Retrying does not help without permission. */
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
