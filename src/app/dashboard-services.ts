/** The services behind the dashboard: feed discovery, backtests, settings, hosts and robots.txt. */
import { discover } from '../crawl/index.ts'
import type { Findings } from '../lab/index.ts'
import { DAY } from '../model/index.ts'
import type { Net } from '../ports/index.ts'
import type { DashboardServices } from '../server/index.ts'
import type { OpenStore } from './composition.ts'
import { type Config, environmentOf, flagOf, formatSetting, OPTION_NAMES, OPTIONS } from './config.ts'
import { limitsOf } from './goals.ts'
import type { Configured } from './read-config.ts'

/** One thread for backtests, because the crawl runs meanwhile. */
const THREADS = 1

export function createDashboardServices(
  config: Config,
  { catalogue, clock, pollResults }: Pick<OpenStore, 'catalogue' | 'clock' | 'pollResults'>,
  net: Net,
  origins?: Configured['origins'],
): DashboardServices {
  return {
    discover: (url, signal) =>
      discover({ url, gapMs: config.hostGap }, { net, clock, obeyRobots: config.robots }, signal),
    async runBacktest({ strategies, lastDays, now, onProgress, signal }) {
      const { backtest, strategiesIn } = await import('../lab/index.ts') // large, and rarely used
      const options = {
        strategies: strategiesIn(strategies),
        limits: limitsOf(config),
        thorough: false,
        budgets: undefined,
        lastMs: lastDays * DAY,
        seed: 1,
        now,
      }
      return findingsShape(await backtest(catalogue, options, { workerCount: THREADS, onProgress: onProgress, signal }))
    },
    settings: () =>
      OPTION_NAMES.map((name) => ({
        name: flagOf(name),
        environment: environmentOf(name),
        value: formatSetting(name, config[name]),
        usual: formatSetting(name, OPTIONS[name].default),
        ...(origins && { origin: origins[name] }),
        sentence: OPTIONS[name].sentence,
      })),
    hosts: () => pollResults.hosts(),
    robots: (given) => pollResults.robots(given),
  }
}

function findingsShape({
  today,
  frontier,
  oracle,
  protocol,
  traces,
}: Findings): Awaited<ReturnType<DashboardServices['runBacktest']>> {
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
