/**
 * The terminal's end. It pulls as many tasks as it has free hands, so that work goes where there is room for it; the longer they
 * take, the more signs it gives that it lives. A task is acknowledged once its outcome is in the other stream.
 *
 * Who gives no sign for `ackWaitMs` has his tasks given to others. So that a root never has two visitors, whoever could not tell
 * for two thirds of that that he lives makes no further request, and is interrupted in the one he makes; and a task
 * that comes a second time is dropped where its root wants a longer gap than the third that is left.
 *
 * A server that was killed may bring again what was done long ago, and so does one that did not hear our acknowledgement; and a controller
 * that slept may send what is another's by now. So of a task that comes a second time, or departed some seconds ago or before we
 * were connected, the owner of its bucket is asked first whether it is still awaited; as long as there is none, it waits.
 */
import { setMaxListeners } from 'node:events'
import { type Instant, type Millis, type Outcome, SECOND, type Task } from '../../../model/index.ts'
import { type Perform, UNASKED_MS, type Work } from '../../../ports/index.ts'
import { outcomeToJson } from '../outcome-json.ts'
import type { NatsLink } from './connection.ts'
import { type Letter, letterOf } from './letter.ts'
import { queueNames, TERMINALS } from './names.ts'
import { DamagedPayload, LaterPayload, type Payloads } from './payload.ts'
import type { ServerTime } from './server-time.ts'
import { isTask } from './shapes.ts'

export interface WorkParts {
  link: NatsLink
  payloads: Payloads
  time: ServerTime
  queueName: string
  /** Of this terminal. */
  who: string
  /** How many tasks it performs at once. */
  concurrency: number
  ackWaitMs: Millis
  onMistake: (error: unknown) => void
  /** Whether whoever sent it still waits for it; undefined if nobody can tell now. Absent: it is taken for granted. */
  isAwaited?: (task: Task) => Promise<boolean | undefined>
}

export interface NatsWork extends Work {
  /** How many tasks are being performed. */
  load(): number
  /** Takes no further task for now, or does again. */
  rest(isResting: boolean): void
}

const NANOS = 1_000_000
const PULL_MS: Millis = 5 * SECOND
const NO_RESPONDERS = 503
const NEXT_MS = 250 // after what failed
const LATER_MS: Millis = 10 * SECOND // until a task of a later version is offered again: by then somebody may be upgraded

interface Held {
  letter: Letter
  giveUp: AbortController
  /** By our steady clock. */
  until: Instant
}

const steady = () => performance.now()

export function createNatsWork(parts: WorkParts): NatsWork {
  const { link, payloads, time, queueName, who, concurrency, ackWaitMs, onMistake } = parts
  const { nc, modules } = link
  const names = queueNames(queueName)
  const js = modules.jetstream.jetstream(nc)
  const signEveryMs = ackWaitMs / 6
  const alone = { mostMs: (ackWaitMs * 2) / 3, gapMs: ackWaitMs / 3 }
  const inbox = link.newInbox()
  const held = new Set<Held>()
  const abandon = new AbortController()
  setMaxListeners(0, abandon.signal)
  let perform: Perform | undefined
  let isClosing = false
  let isResting = false
  let asked = 0
  let isUnanswered = false
  let confirmedAt = steady()
  let upSince = time.now()
  let breaks = 0
  link.onAgain(() => {
    upSince = time.now()
    breaks++
  })
  let whenIdle: (() => void)[] = []
  let stir = () => {}

  /** What is under way is ours as long as the server has heard so. */
  async function sign(): Promise<void> {
    const at = steady()
    if (at > confirmedAt + alone.mostMs) for (const one of held) one.giveUp.abort()
    for (const one of held) if (at > one.until) one.giveUp.abort()
    if (!link.isUp()) return
    for (const { letter } of held) letter.sign()
    await nc.flush()
    confirmedAt = at
  }

  const signing = setInterval(() => void sign().catch(() => {}), signEveryMs)

  async function pullOn(): Promise<void> {
    while (!isClosing) {
      const free = concurrency - held.size
      if (free <= 0 || isResting || !link.isUp()) {
        await Promise.race([pause(NEXT_MS), stirred()])
        continue
      }
      if (isUnanswered) await pause(NEXT_MS)
      isUnanswered = false
      asked = free
      const wish = { batch: free, expires: PULL_MS * NANOS }
      nc.publish(`$JS.API.CONSUMER.MSG.NEXT.${names.tasks}.${TERMINALS}`, JSON.stringify(wish), { reply: inbox })
      const until = steady() + PULL_MS + NEXT_MS
      while (asked > 0 && !isClosing && link.isUp() && steady() < until)
        await Promise.race([pause(until - steady()), stirred()])
    }
  }

  function stirred(): Promise<void> {
    return new Promise((resolve) => {
      stir = resolve
    })
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms).unref())
  }

  function receive(letter: Letter): void {
    if (isClosing || held.size >= concurrency) {
      letter.refuse()
      return
    }
    const one: Held = { letter, giveUp: new AbortController(), until: Number.POSITIVE_INFINITY }
    held.add(one)
    asked--
    void workOn(one)
      .catch(onMistake)
      .finally(() => {
        held.delete(one)
        stir()
        tellIfIdle()
      })
  }

  async function workOn(one: Held): Promise<void> {
    const { letter, giveUp } = one
    const task = await taskIn(letter)
    if (!task || !perform) return
    const departedAt = Math.min(task.departedAt ?? Number.POSITIVE_INFINITY, letter.storedAt)
    const ageMs = Math.max(0, time.now() - departedAt)
    const leftMs = (task.goodForMs ?? Number.POSITIVE_INFINITY) - ageMs
    one.until = steady() + leftMs
    if (task.isRecalled) return comeBack(task, one)
    const isSecond = letter.deliveries > 1
    if (leftMs <= 0 || (isSecond && 'gapMs' in task && task.gapMs > alone.gapMs)) return letter.drop()
    if (isSecond || ageMs > UNASKED_MS || letter.storedAt < upSince) {
      // After a break nobody knows how long ago another had it: until then he has stopped, or brought what came of it.
      if (breaks > 0 && letter.storedAt < upSince) await pause(alone.mostMs)
      if (!(await isAwaited(task, one))) return letter.drop()
    }
    const isLate = () => giveUp.signal.aborted || steady() > Math.min(one.until, confirmedAt + alone.mostMs)
    const stop = () => giveUp.abort()
    abandon.signal.addEventListener('abort', stop, { once: true })
    let outcome: Outcome
    try {
      outcome = await perform(task, giveUp.signal, isLate)
    } catch (error) {
      if (isLate()) return // whoever is given it next is told how late it is
      letter.drop()
      onMistake(error)
      return
    } finally {
      abandon.signal.removeEventListener('abort', stop)
    }
    if (giveUp.signal.aborted) return
    await bring(outcome, one)
    letter.ack()
  }

  /** To give it back would use up one of the few times that it is given to anybody. */
  async function isAwaited(task: Task, { until, giveUp }: Held): Promise<boolean> {
    while (!giveUp.signal.aborted && steady() < until) {
      const answer = parts.isAwaited ? await parts.isAwaited(task).catch(() => undefined) : true
      if (answer !== undefined) return answer
      await pause(NEXT_MS)
    }
    return false
  }

  /** Whoever called it back hears that nobody has gone. */
  async function comeBack({ isRecalled: _, ...task }: Task, one: Held): Promise<void> {
    if ('credentials' in task) delete task.credentials
    await bring({ task, at: time.now(), tookMs: 0, bytes: 0, result: { kind: 'unsent' } }, one)
    one.letter.ack()
  }

  async function taskIn(letter: Letter): Promise<Task | undefined> {
    try {
      const body = await payloads.unpack(letter)
      if (isTask(body)) return body
      throw new DamagedPayload('it is no task')
    } catch (error) {
      if (error instanceof LaterPayload) letter.refuse(LATER_MS)
      else letter.drop()
      onMistake(error instanceof DamagedPayload ? new Error(`a task cannot be read: ${error.message}`) : error)
      return undefined
    }
  }

  /** Until it is in the stream, or its time is over. */
  async function bring(outcome: Outcome, { letter, until, giveUp }: Held): Promise<void> {
    const { lease, bucket } = outcome.task
    const name = `outcome-${lease ?? crypto.randomUUID()}`
    const { data, headers } = await payloads.pack(await outcomeToJson(outcome), name, who)
    payloads.answering(letter, headers)
    for (;;) {
      try {
        await js.publish(names.outcomeSubject(bucket), data, { headers, ...(lease && { msgID: name }) })
        return
      } catch (error) {
        if (nc.isClosed() || abandon.signal.aborted || giveUp.signal.aborted || steady() > until) throw error
      }
      await pause(NEXT_MS)
    }
  }

  function tellIfIdle(): void {
    if (held.size > 0 && !abandon.signal.aborted) return
    for (const tell of whenIdle) tell()
    whenIdle = []
  }

  const mail = nc.subscribe(inbox, {
    callback: (error, message) => {
      if (error) return
      if (message.headers?.code) {
        asked = 0 // nothing came in time, or the server is going
        isUnanswered = message.headers.code === NO_RESPONDERS // it has lost the stream, which a controller creates again
      } else receive(letterOf(nc, message))
      stir()
    },
  })

  return {
    serve(performer) {
      if (perform) throw new Error('somebody serves already')
      perform = performer
      void pullOn().catch(onMistake)
    },
    load: () => held.size,
    rest(resting) {
      isResting = resting
      stir()
    },
    async close(signal) {
      isClosing = true
      stir()
      const abandonAll = () => {
        abandon.abort()
        tellIfIdle()
      }
      if (signal?.aborted) abandonAll()
      signal?.addEventListener('abort', abandonAll, { once: true })
      await new Promise<void>((resolve) => {
        whenIdle.push(resolve)
        tellIfIdle()
      })
      signal?.removeEventListener('abort', abandonAll)
      clearInterval(signing)
      if (!nc.isClosed()) mail.unsubscribe()
    },
  }
}
