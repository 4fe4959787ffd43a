/** A scripted DNS server for tests: answers A and AAAA queries over UDP on loopback. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface DnsServer extends AsyncDisposable {
  /** In the format of `dnsServers`. */
  address: string
  questions: string[]
}

/** The script returns IPv4 addresses, an empty list for "no such name", or undefined for no answer. */
export async function serveDns(
  script: (name: string, count: number) => string[] | undefined,
  { isSilentOnIPv6 = false } = {},
): Promise<DnsServer> {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, end } = readName(query)
    const isA = query.readUInt16BE(end) === 1
    if (isA) questions.push(name)
    const addresses = script(name, questions.length)
    if (!addresses || (!isA && isSilentOnIPv6)) return
    const records = isA ? addresses.map(aRecord) : []
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2) // 3: no such name
    head.writeUInt16BE(records.length, 6)
    head.fill(0, 8, 12)
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}

function aRecord(address: string): Buffer {
  const toNameInQuestion = [0xc0, 0x0c]
  const typeClassTtlLength = [0, 1, 0, 1, 0, 0, 0, 0, 0, 4]
  return Buffer.from([...toNameInQuestion, ...typeClassTtlLength, ...address.split('.').map(Number)])
}
