/**
 * The lab, from the page: one replay of the past at a time, which is asked for, looked at while it runs, and stopped; and the
 * switch of all feeds to the strategy that did best. What was found is kept until the next one begins, or the program ends.
 */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { type BacktestShape, OPERATIONS } from '../../api/index.ts'
import { HintedError } from '../../model/index.ts'
import { troubleWithStrategy } from '../../scheduling/index.ts'
import { Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function labRoutes({ dashboard, catalogue, crawler, clock, closing, onMistake }: ServerParts): OpenAPIHono {
  const app = validatedRoutes()
  let last: BacktestShape = { state: 'none' }
  let running: AbortController | undefined

  async function run(asked: { strategies: string; lastDays: number }, stop: AbortController): Promise<void> {
    const mine = last
    const tell = (done: number, of: number) => {
      if (last.state === 'running' && running === stop) last = { ...last, done, of }
    }
    try {
      const signal = closing ? AbortSignal.any([stop.signal, closing]) : stop.signal
      const found = await dashboard!.backtest({ ...asked, now: clock.now(), tell, signal })
      if (running === stop) last = { state: 'done', ...(mine.startedAt && { startedAt: mine.startedAt }), ...found }
    } catch (error) {
      if (running !== stop) return
      const isHinted = error instanceof HintedError
      if (!isHinted) onMistake?.(error, 'replaying the past')
      const words = isHinted ? error.message : 'it broke off; the log says why'
      last = { state: 'failed', words, ...(isHinted && { hint: error.hint }) }
    } finally {
      if (running === stop) running = undefined
    }
  }

  app.openapi(OPERATIONS.getBacktest, (c) => c.json(last, 200))

  app.openapi(OPERATIONS.startBacktest, async (c) => {
    if (!dashboard) throw new Problem(404, 'nothing is replayed here', 'freshet lab backtest does it')
    if (running) throw new Problem(409, 'a replay is running', 'wait for it, or stop it')
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
    const trouble = troubleWithStrategy(strategy)
    if (trouble) throw new Problem(400, trouble.message, trouble.hint)
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
