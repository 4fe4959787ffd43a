/** The machines of the engine room, as the server wants them: put together of what the hall has at hand. */
import { discover } from '../crawl/index.ts'
import type { Findings } from '../lab/index.ts'
import { DAY } from '../model/index.ts'
import type { Net } from '../ports/index.ts'
import type { DashboardServices } from '../server/index.ts'
import { type Config, environmentOf, flagOf, OPTION_NAMES, OPTIONS, shownValue } from './config.ts'
import { limitsOf } from './goals.ts'
import type { Configured } from './read-config.ts'
import type { OpenStore } from './wire.ts'

/** The crawl goes on meanwhile: one thread for the lab is enough. */
const HANDS = 1

export function createEngineRoom(
  config: Config,
  { catalogue, clock, ledger }: Pick<OpenStore, 'catalogue' | 'clock' | 'ledger'>,
  net: Net,
  origins?: Configured['origins'],
): DashboardServices {
  return {
    discover: (url, signal) =>
      discover({ url, gapMs: config.hostGap }, { net, clock, obeyRobots: config.robots }, signal),
    async backtest({ strategies, lastDays, now, tell, signal }) {
      const { backtest, strategiesIn } = await import('../lab/index.ts') // large, and seldom wanted
      const options = {
        strategies: strategiesIn(strategies),
        limits: limitsOf(config),
        thorough: false,
        budgets: undefined,
        lastMs: lastDays * DAY,
        seed: 1,
        now,
      }
      return findingsShape(await backtest(catalogue, options, { hands: HANDS, tell, signal }))
    },
    settings: () =>
      OPTION_NAMES.map((name) => ({
        name: flagOf(name),
        environment: environmentOf(name),
        value: shownValue(name, config[name]),
        usual: shownValue(name, OPTIONS[name].default),
        ...(origins && { origin: origins[name] }),
        sentence: OPTIONS[name].sentence,
      })),
    hosts: () => ledger.hosts(),
    robots: (given) => ledger.robots(given),
  }
}

function findingsShape({
  today,
  frontier,
  oracle,
  protocol,
  traces,
}: Findings): Awaited<ReturnType<DashboardServices['backtest']>> {
  const days = (protocol.endAt - protocol.scoreAt) / DAY
  const points = (some: Findings['oracle']) =>
    some.map(({ pollsPerDay, itemDelayMs, own }) => ({ pollsPerDay, delayMs: itemDelayMs, ...(own && { own }) }))
  return {
    feeds: traces.feeds,
    days,
    ...(today && {
      today: {
        strategies: today.strategies,
        pollsPerDay: today.score.polls / days,
        delayMs: today.score.byPolls.delayMs,
        share: today.score.polls > 0 ? Math.min(1, today.failed / today.score.polls) : 0,
      },
    }),
    strategies: frontier.map(({ strategy, points: found }) => ({ strategy, points: points(found) })),
    oracle: points(oracle),
  }
}
