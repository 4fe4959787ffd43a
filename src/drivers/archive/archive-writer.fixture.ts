/** A process that archives without end, to be killed: `node archive-writer.fixture.ts FOLDER`. Says how many it has written. */
import { openWarcFolder } from './warc-archive.ts'

const archive = await openWarcFolder(process.argv[2]!, { software: 'test', now: Date.now, maxFileBytes: 2_000_000 })
for (let i = 1; ; i++) {
  const body = Buffer.from(`${i} `.repeat(20_000))
  await archive.write({
    url: `https://news.example/${i}`,
    at: Date.now(),
    request: { headers: [] },
    response: { status: 200, headers: [['Content-Type', 'text/plain']], body },
  })
  process.stdout.write(`${i}\n`)
}
