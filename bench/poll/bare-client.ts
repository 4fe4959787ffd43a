/** The lower bound: node:http and nothing else. Requests every feed and drops the responses. `bare-client.ts <port> <feeds>` */
import { get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { answerRounds, type Phase, requestsIn, STEADY_GAP_MS } from './rounds.ts'

const [port = 0, feeds = 0] = process.argv.slice(2).map(Number)
const CONCURRENCY = 32

await answerRounds(async (phase) => () => requestAll(phase))

async function requestAll(phase: Phase): Promise<void> {
  const headers = phase === 'first' ? {} : { 'if-none-match': '"1"' }
  if (phase === 'steady') return requestInTurn(headers)
  let next = 0
  const one = async () => {
    while (next < feeds) await ask({ host: `f${next++}.localhost:${port}`, ...headers })
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, one))
}

async function requestInTurn(headers: Record<string, string>): Promise<void> {
  const beganAt = performance.now()
  const all: Promise<void>[] = []
  for (let i = 0; i < requestsIn('steady', feeds); i++) {
    const left = beganAt + i * STEADY_GAP_MS - performance.now()
    if (left > 0) await wait(left)
    all.push(ask({ host: `f${i}.localhost:${port}`, ...headers }))
  }
  await Promise.all(all)
}

/** One connection per request, like a crawler of many hosts. */
function ask(headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path: '/feed', headers, agent: false })
    request.once('error', reject).once('response', (response) => response.resume().once('end', resolve))
  })
}
