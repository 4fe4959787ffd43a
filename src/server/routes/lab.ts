/**
 * The lab on the dashboard: starts, shows and stops one backtest at a time, and switches all feeds to a strategy. The result is kept until
 * the next backtest starts or the process ends.
 */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { type BacktestShape, OPERATIONS } from '../../api/index.ts'
import { HintedError } from '../../model/index.ts'
import { strategyError } from '../../scheduling/index.ts'
import { Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function labRoutes({
  dashboard,
  catalogue,
  crawler,
  clock,
  closing,
  onInternalError,
}: ServerParts): OpenAPIHono {
  const app = validatedRoutes()
  let last: BacktestShape = { state: 'none' }
  let running: AbortController | undefined

  async function run(request: { strategies: string; lastDays: number }, stop: AbortController): Promise<void> {
    const started = last
    const onProgress = (done: number, of: number) => {
      if (last.state === 'running' && running === stop) last = { ...last, done, of }
    }
    try {
      const signal = closing ? AbortSignal.any([stop.signal, closing]) : stop.signal
      const found = await dashboard!.runBacktest({ ...request, now: clock.now(), onProgress, signal })
      if (running === stop)
        last = { state: 'done', ...(started.startedAt && { startedAt: started.startedAt }), ...found }
    } catch (error) {
      if (running !== stop) return
      const isHinted = error instanceof HintedError
      if (!isHinted) onInternalError?.(error, 'running a backtest')
      const message = isHinted ? error.message : 'internal error; see the log'
      last = { state: 'failed', words: message, ...(isHinted && { hint: error.hint }) }
    } finally {
      if (running === stop) running = undefined
    }
  }

  app.openapi(OPERATIONS.getBacktest, (c) => c.json(last, 200))

  app.openapi(OPERATIONS.startBacktest, async (c) => {
    if (!dashboard) throw new Problem(404, 'this server does not run backtests', 'use freshet lab backtest')
    if (running) throw new Problem(409, 'a backtest is already running', 'wait for it, or stop it')
    running = new AbortController()
    last = { state: 'running', startedAt: new Date(clock.now()).toISOString() }
    void run(c.req.valid('json'), running)
    return c.json(last, 202)
  })

  app.openapi(OPERATIONS.stopBacktest, (c) => {
    running?.abort()
    running = undefined
    last = { state: 'none' }
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.switchStrategy, async (c) => {
    const { strategy } = c.req.valid('json')
    const problem = strategyError(strategy)
    if (problem) throw new Problem(400, problem.message, problem.hint)
    const counted = { feeds: 0, changed: 0 }
    for await (const { feed, schedule } of catalogue.everyFeed()) {
      counted.feeds++
      if (schedule.strategy === strategy) continue
      if ((await crawler.edit(feed.id, { strategy })) === true) counted.changed++
    }
    return c.json(counted, 200)
  })
  return app
}
