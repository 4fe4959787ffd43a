/**
 * The Google Reader API, as FreshRSS and others offer it: below `/api/greader.php`, where clients of FreshRSS look, and at the root. Who
 * logs in gets a token of his own for thirty days, the same one for the same program while we run; a token of ours will do as
 * password, and is then what he goes on with.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { createOpmlList } from '../../feeds/index.ts'
import { DAY, type EntryId, type PersonId, shortLabel } from '../../model/index.ts'
import { hashOfSecret, newSecret } from '../../people/index.ts'
import { passFor } from '../credentials.ts'
import { FEED_TYPES, writeFeedOut } from '../feeds-out/write-feed-out.ts'
import { answerProblem, Problem } from '../problem.ts'
import type { ProvenParts } from '../server-parts.ts'
import { type Form, formIn } from './form.ts'
import { entryIdIn, longItemId } from './google-item-ids.ts'
import { feedIn, LABEL, STATE, sameUser, streamPage, streamScope } from './google-streams.ts'
import { createReaderAuth, mayWrite, type Proof, readerAsking } from './reader-auth.ts'
import { everyFollowed, type FollowedFeed, followAddress, itemsWith, type ShelfItem, seconds, star } from './shelf.ts'

const SESSION_MS = 30 * DAY
const MOST_SESSIONS = 1000
const MOST_IDS = 10_000
const MOST_ITEMS = 1000
const LONGEST_NAME = 100
const SCHEME = 'http://www.google.com/reader/'

export function googleReaderRoutes(parts: ProvenParts): Hono {
  const { people, readership, clock, crawler, catalogue, onChange = () => {} } = parts
  const { personWith, asReader } = createReaderAuth(parts)
  const app = new Hono()
  /** Tokens of an earlier run are no longer good; programs ask for another. */
  const tokenKey = randomBytes(32)
  /** By person and program, the token that he was given: a client that logs in at every start does not gather them. */
  const given = new Map<string, string>()

  app.on(['GET', 'POST'], '/accounts/ClientLogin', parts.readBody, async (c) => {
    const form = await formIn(c)
    const [name = '', secret = ''] = [form.get('Email'), form.get('Passwd')]
    const token = await personWith(c, { name, secret, kinds: ['token'] })
      .then(({ person, pass }) => (pass ? secret : person ? sessionOf(c, person.id) : 'nobody-has-to-log-in'))
      .catch((error: unknown) => {
        if (error instanceof Problem && error.status === 401) return undefined
        throw error
      })
    c.header('cache-control', 'no-store')
    if (token === undefined) return c.text('Error=BadAuthentication\n', 401)
    const answer = { SID: token, LSID: token, Auth: token }
    if (form.get('output') === 'json') return c.json(answer)
    return c.text(`SID=${token}\nLSID=${token}\nAuth=${token}\n`)
  })

  async function sessionOf(c: Context, personId: PersonId): Promise<string> {
    const program = (c.req.header('user-agent') ?? 'a feed reader').slice(0, LONGEST_NAME)
    const key = `${personId} ${program}`
    const before = given.get(key)
    const now = clock.now()
    if (before !== undefined && (await passFor({ secret: before, kinds: ['google-reader'] }, parts))) return before
    const secret = newSecret()
    const { allows } = (await people.people()).find(({ id }) => id === personId) ?? { allows: 'read' as const }
    const pass = { kind: 'google-reader', name: program, addedAt: now, usedAt: now, endsAt: now + SESSION_MS } as const
    await people.addPass({ ...pass, personId, allows }, hashOfSecret(secret))
    given.set(key, secret)
    const oldest = given.keys().next().value
    if (given.size > MOST_SESSIONS && oldest !== undefined) given.delete(oldest)
    return secret
  }

  app.use('/reader/*', async (c, next) => {
    await next()
    if (c.res.status === 401) c.res.headers.set('google-bad-token', 'true')
    c.res.headers.set('cache-control', 'no-store')
  })
  app.use('/reader/*', asReader(proofIn))
  app.onError((error, c) => {
    if (error instanceof Problem && error.status < 500) return answerProblem(c, error)
    throw error
  })

  app.get('/reader/api/0/token', (c) => c.text(actionToken(c)))

  /** Shows that whoever changes something has read an answer of ours, which no page of another site can. */
  function actionToken(c: Context): string {
    const secret = proofIn(c)?.secret ?? ''
    return createHmac('sha256', tokenKey).update(secret).digest('hex').slice(0, 57)
  }

  app.get('/reader/api/0/user-info', (c) => {
    const { personId, name } = readerAsking(c)
    return c.json({ userId: String(personId), userName: name, userProfileId: String(personId), userEmail: '' })
  })

  app.get('/reader/api/0/tag/list', async (c) => {
    const folders = await readership.folderCounts(readerAsking(c).personId)
    const labels = folders.flatMap(({ folder, unread }) =>
      folder ? [{ id: LABEL + folder, type: 'folder', unread_count: unread }] : [],
    )
    return c.json({ tags: [{ id: `${STATE}starred` }, ...labels] })
  })

  app.get('/reader/api/0/subscription/list', async (c) => {
    const { origin } = new URL(c.req.url)
    const feeds = await everyFollowed(parts, readerAsking(c).personId)
    return c.json({ subscriptions: feeds.map((feed) => subscriptionShape(feed, origin)) })
  })

  app.get('/reader/api/0/subscription/export', async (c) => {
    const list = createOpmlList('Feeds of Freshet')
    for (const { title, folder, feed } of await everyFollowed(parts, readerAsking(c).personId))
      list.add({ url: feed.url, title, ...(feed.siteUrl && { siteUrl: feed.siteUrl }), folder })
    return c.body([...list.pieces()].join(''), 200, { 'content-type': 'text/x-opml; charset=utf-8' })
  })

  app.post('/reader/api/0/subscription/edit', async (c) => {
    const { personId, name } = mayWrite(c)
    const form = await formIn(c)
    const titles = form.all('t')
    const folder = form
      .all('a')
      .map(sameUser)
      .find((label) => label.startsWith(LABEL))
      ?.slice(LABEL.length)
    const isOut = form
      .all('r')
      .map(sameUser)
      .some((label) => label.startsWith(LABEL))
    for (const [i, stream] of form.all('s').entries()) {
      if (!stream.startsWith('feed/')) throw new Problem(400, `${stream.slice(0, 60)} is no feed`, 'send s=feed/…')
      const feedId = await feedIn(stream, catalogue)
      const change = {
        ...(titles[i] !== undefined && { title: titles[i] || null }),
        ...(folder !== undefined ? { folder } : isOut && { folder: null }),
      }
      onChange({
        ...(name && { who: name }),
        what: `googleReader.${form.get('ac') ?? 'edit'}`,
        on: stream.slice(0, 200),
      })
      switch (form.get('ac')) {
        case 'subscribe':
          await subscribe(c, personId, stream.slice('feed/'.length), titles[i], folder)
          break
        case 'unsubscribe':
          if (feedId !== undefined) await crawler.unsubscribe(personId, [{ feedId }])
          break
        case 'edit':
          if (feedId === undefined || !(await crawler.editReading(personId, feedId, change)))
            throw new Problem(404, `you do not follow ${stream.slice(0, 60)}`, 'subscribe to it first')
          break
        default:
          throw new Problem(400, 'ac makes no sense', 'send ac=subscribe, unsubscribe or edit')
      }
    }
    return c.text('OK')
  })

  app.on(['GET', 'POST'], '/reader/api/0/subscription/quickadd', async (c) => {
    const { personId, name } = mayWrite(c)
    const form = await formIn(c)
    // Some programs send it as GET, which any page can make a browser do.
    if (c.req.method !== 'POST' && form.get('T') !== actionToken(c))
      throw new Problem(403, 'quickadd by GET needs a token', 'send POST, or T with what /reader/api/0/token answers')
    const url = (form.get('quickadd') ?? '').replace(/^feed\//, '')
    const feed = await subscribe(c, personId, url, undefined, undefined)
    onChange({ ...(name && { who: name }), what: 'googleReader.quickadd' })
    if (!feed) return c.json({ query: url, numResults: 0 })
    return c.json({ query: url, numResults: 1, streamId: `feed/${feed.feedId}`, streamName: feed.title })
  })

  async function subscribe(
    c: Context,
    personId: PersonId,
    url: string,
    title: string | undefined,
    folder: string | undefined,
  ): Promise<{ feedId: number; title: string } | undefined> {
    const about = { ...(title && { title }), ...(folder && { folder }) }
    const followed = await followAddress(parts, personId, url, about, c.req.raw.signal)
    if (followed.kind === 'refused')
      throw new Problem(400, `${url.slice(0, 100)}: ${followed.reason}`, 'is the address right?')
    if (followed.kind === 'looking') return undefined
    const [held] = await catalogue.feedsById([followed.feedId])
    return { feedId: followed.feedId, title: title || held?.feed.title || url }
  }

  app.get('/reader/api/0/unread-count', async (c) => {
    const { personId } = readerAsking(c)
    const feeds = await everyFollowed(parts, personId)
    const folders = await readership.folderCounts(personId)
    const newest = Math.max(0, ...feeds.map(({ schedule }) => schedule.succeededAt ?? 0))
    const counted = (id: string, count: number, at: number) => ({ id, count, newestItemTimestampUsec: `${at}000` })
    const { unread } = await readership.standing(personId)
    return c.json({
      max: unread,
      unreadcounts: [
        ...feeds.map(({ feedId, unread: own, schedule }) => counted(`feed/${feedId}`, own, schedule.succeededAt ?? 0)),
        ...folders.flatMap(({ folder, unread: own }) => (folder ? [counted(LABEL + folder, own, newest)] : [])),
        counted(`${STATE}reading-list`, unread, newest),
      ],
    })
  })

  app.get('/reader/api/0/stream/items/ids', async (c) => {
    const form = await formIn(c)
    const stream = form.get('s') ?? `${STATE}reading-list`
    const { ids, seenAt, continuation } = await streamPage(parts, readerAsking(c).personId, stream, form, {
      usual: 20,
      most: MOST_IDS,
    })
    return c.json({
      itemRefs: ids.map((id, i) => ({ id: String(id), directStreamIds: [], timestampUsec: `${seenAt[i]}000` })),
      ...(continuation !== undefined && { continuation }),
    })
  })

  app.on(['GET', 'POST'], '/reader/api/0/stream/items/contents', async (c) => {
    const form = await formIn(c)
    const ids = entryIdsIn(form).slice(0, MOST_ITEMS)
    const items = await itemShapes(readerAsking(c).personId, ids)
    return c.json({ id: `${STATE}reading-list`, updated: seconds(clock.now()), items })
  })

  app.get('/reader/api/0/stream/contents', async (c) => {
    const form = await formIn(c)
    return contents(c, form.get('s') ?? `${STATE}reading-list`, form)
  })
  app.get('/reader/api/0/stream/contents/*', async (c) => contents(c, streamInPath(c, 'contents/'), await formIn(c)))

  async function contents(c: Context, stream: string, form: Form): Promise<Response> {
    const { personId } = readerAsking(c)
    const page = await streamPage(parts, personId, stream, form, { usual: 20, most: MOST_ITEMS })
    const items = await itemShapes(personId, page.ids)
    return c.json({
      direction: 'ltr',
      id: stream,
      title: stream,
      self: [{ href: c.req.url }],
      updated: seconds(clock.now()),
      items,
      ...(page.continuation !== undefined && { continuation: page.continuation }),
    })
  }

  /** As Google had it once, and newsboat still asks for it. */
  app.get('/reader/atom/*', async (c) => {
    const { personId } = readerAsking(c)
    const stream = streamInPath(c, 'atom/')
    const page = await streamPage(parts, personId, stream, await formIn(c), { usual: 20, most: MOST_ITEMS })
    const items = (await itemsWith(parts, personId, page.ids)).map((item) => ({
      ...item,
      lastingId: longItemId(item.id),
      labels: statesOf(item).map((state) => ({ term: STATE + state, scheme: SCHEME, label: state })),
    }))
    const changedAt = Math.max(0, ...items.map(({ broughtAt }) => broughtAt))
    const title = items[0]?.feedTitle ?? stream
    const homeUrl = new URL('/', c.req.url).href
    const document = await writeFeedOut({ title, changedAt, items }, 'atom', { selfUrl: c.req.url, homeUrl })
    return c.body(document, 200, { 'content-type': FEED_TYPES.atom })
  })

  app.post('/reader/api/0/edit-tag', async (c) => {
    const { personId } = mayWrite(c)
    const form = await formIn(c)
    const ids = entryIdsIn(form)
    const [added, removed] = [form.all('a').map(sameUser), form.all('r').map(sameUser)]
    const has = (states: string[], ...names: string[]) => names.some((name) => states.includes(STATE + name))
    const now = clock.now()
    if (has(added, 'read') || (has(removed, 'kept-unread') && !has(removed, 'read')))
      await readership.mark(personId, ids, 'read', now)
    else if (has(removed, 'read') || has(added, 'kept-unread')) await readership.mark(personId, ids, 'unread', now)
    if (has(added, 'starred')) await star(parts, personId, ids, true, now)
    if (has(removed, 'starred')) await star(parts, personId, ids, false, now)
    return c.text('OK')
  })

  app.post('/reader/api/0/mark-all-as-read', async (c) => {
    const { personId } = mayWrite(c)
    const form = await formIn(c)
    const ts = form.get('ts')
    if (ts !== undefined && !/^\d{0,20}$/.test(ts)) throw new Problem(400, 'ts makes no sense', 'send microseconds')
    for (const stream of form.all('s')) {
      const scope = await streamScope(stream, parts)
      if (!scope)
        throw new Problem(404, `nothing is in ${stream.slice(0, 60)}`, 'subscription/list tells what there is')
      const { feedIds, folder } = scope
      const wanted = { ...(feedIds && { feedIds }), ...(folder !== undefined && { folder }) }
      // With its last millisecond: clients send the date of the newest that they show.
      const until = ts ? { seenBefore: Math.floor(Number(ts) / 1000) + 1 } : undefined
      await readership.markAllRead(personId, wanted, until)
    }
    return c.text('OK')
  })

  app.post('/reader/api/0/rename-tag', async (c) => {
    const { personId } = mayWrite(c)
    const form = await formIn(c)
    const [from, to] = [form.get('s') ?? `${LABEL}${form.get('t') ?? ''}`, form.get('dest') ?? '']
    if (!sameUser(to).startsWith(LABEL)) throw new Problem(400, 'dest makes no sense', `send dest=${LABEL}NAME`)
    const name = shortLabel(sameUser(to).slice(LABEL.length))
    await readership.renameFolder(personId, sameUser(from).slice(LABEL.length), name)
    return c.text('OK')
  })

  app.post('/reader/api/0/disable-tag', async (c) => {
    const { personId } = mayWrite(c)
    const form = await formIn(c)
    const from = form.get('s') ?? `${LABEL}${form.get('t') ?? ''}`
    await readership.renameFolder(personId, sameUser(from).slice(LABEL.length), null)
    return c.text('OK')
  })

  app.get('/reader/api/0/preference/list', (c) => c.json({ prefs: [{ id: 'lhn-prefs', value: '{}' }] }))
  app.get('/reader/api/0/preference/stream/list', (c) => c.json({ streamprefs: {} }))
  app.get('/reader/api/0/friend/list', (c) => c.json({ friends: [] }))

  async function itemShapes(personId: PersonId, ids: EntryId[]) {
    const items = await itemsWith(parts, personId, ids)
    const feedIds = [...new Set(items.map(({ feedId }) => feedId))]
    const feeds = await catalogue.feedsById(feedIds)
    const readings = await readership.readingsOf(personId, feedIds)
    const about = new Map(
      feedIds.map((id, i) => [
        id,
        { siteUrl: feeds[i]?.feed.siteUrl ?? '', folder: readings[i]?.folder, title: readings[i]?.title },
      ]),
    )
    return items.map((item) => itemShape(item, about.get(item.feedId) ?? { siteUrl: '' }))
  }
  return app
}

function proofIn(c: Context): Proof | undefined {
  const [, secret] =
    /^(?:GoogleLogin auth=|Bearer )"?([\w.~+/=-]{1,500})"?$/i.exec(c.req.header('authorization') ?? '') ?? []
  return secret === undefined ? undefined : { secret, kinds: ['google-reader', 'token'] }
}

/** Some clients write the slashes of a stream's name as %2F, others as they are. */
function streamInPath(c: Context, behind: string): string {
  const { pathname } = new URL(c.req.url)
  const raw = pathname.slice(pathname.indexOf(behind) + behind.length)
  try {
    return decodeURIComponent(raw)
  } catch {
    throw new Problem(400, 'the stream’s name cannot be read', 'write what is special in it as %..')
  }
}

function entryIdsIn(form: Form): EntryId[] {
  return form.all('i').flatMap((text) => {
    const id = entryIdIn(text)
    return id === undefined ? [] : [id]
  })
}

function subscriptionShape({ feedId, title, folder, feed }: FollowedFeed, origin: string) {
  return {
    id: `feed/${feedId}`,
    title,
    categories: folder ? [{ id: LABEL + folder, label: folder }] : [],
    url: feed.url,
    htmlUrl: feed.siteUrl ?? feed.url,
    iconUrl: `${origin}/api/v1/feeds/${feedId}/icon`,
    firstitemmsec: String(feed.addedAt),
    sortid: feedId.toString(16).padStart(8, '0').toUpperCase(),
  }
}

function statesOf({ marks }: ShelfItem): string[] {
  return ['reading-list', marks.read ? 'read' : 'fresh', ...(marks.starred ? ['starred'] : [])]
}

function itemShape(
  item: ShelfItem,
  about: { siteUrl: string; folder?: string | undefined; title?: string | undefined },
) {
  const { id, seenAt, publishedAt, changedAt, title, url, html, author, feedId, feedTitle, media, tags } = item
  const enclosures = media.filter(({ preview }) => !preview)
  return {
    id: longItemId(id),
    crawlTimeMsec: String(seenAt),
    timestampUsec: `${seenAt}000`,
    published: seconds(publishedAt),
    ...(changedAt !== undefined && { updated: seconds(changedAt) }),
    title,
    canonical: url ? [{ href: url }] : [],
    alternate: url ? [{ href: url, type: 'text/html' }] : [],
    summary: { content: html },
    ...(author && { author }),
    categories: [
      ...statesOf(item).map((state) => STATE + state),
      ...(about.folder ? [LABEL + about.folder] : []),
      ...tags,
    ],
    origin: { streamId: `feed/${feedId}`, title: about.title || feedTitle || '', htmlUrl: about.siteUrl },
    ...(enclosures.length > 0 && {
      enclosure: enclosures.map(({ url: href, type = '', bytes }) => ({ href, type, ...(bytes && { length: bytes }) })),
    }),
  }
}
