/** A process that writes to an archive until it is killed: `node archive-writer.fixture.ts FOLDER`. Prints the number of written exchanges. */
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
