/**
 * Tags in the Google Reader API: the read and starred states of items, and labels, which are folders of feeds or labels of entries. A
 * folder precedes a label of the same name.
 */
import { Hono } from 'hono'
import { MAX_ENTRY_LABEL_LENGTH, truncateLabel } from '../../../model/index.ts'
import { Problem } from '../../problem.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import { type Form, formIn } from '../form.ts'
import type { ReaderAdapter } from '../reader-adapter.ts'
import { currentReader, requireWrite } from '../reader-auth.ts'
import { itemIdsIn } from './item-ids.ts'
import { folderOfLabel, LABEL, normalizeUser, STATE, streamScope } from './stream-page.ts'

interface TagParts extends Pick<AuthenticatedParts, 'catalogue' | 'readerState'> {
  adapter: ReaderAdapter
}

export function googleTagRoutes({ adapter, catalogue, readerState }: TagParts): Hono {
  const app = new Hono()

  app.get('/tag/list', async (c) => {
    const { userId } = currentReader(c)
    const { folders } = await readerState.readerCounts(userId)
    const ofFolders = folders.flatMap(({ folder, unread }) =>
      folder ? [{ id: LABEL + folder, type: 'folder', unread_count: unread }] : [],
    )
    const isFolder = new Set(folders.map(({ folder }) => folder))
    const ofEntries = (await readerState.labelsOf(userId))
      .filter(({ name }) => !isFolder.has(name))
      .map(({ name }) => ({ id: LABEL + name, type: 'tag' }))
    return c.json({ tags: [{ id: `${STATE}starred` }, ...ofFolders, ...ofEntries] })
  })

  app.post('/edit-tag', async (c) => {
    const { userId } = requireWrite(c)
    const form = await formIn(c)
    const ids = itemIdsIn(form)
    const [added, removed] = [form.all('a').map(normalizeUser), form.all('r').map(normalizeUser)]
    const has = (states: string[], name: string) => states.includes(STATE + name)
    if (has(added, 'read') || (has(removed, 'kept-unread') && !has(removed, 'read')))
      await adapter.markEntries(userId, ids, 'read')
    else if (has(removed, 'read') || has(added, 'kept-unread')) await adapter.markEntries(userId, ids, 'unread')
    if (has(added, 'starred')) await adapter.star(userId, ids, true)
    if (has(removed, 'starred')) await adapter.star(userId, ids, false)
    const [add, remove] = [labelsIn(added), labelsIn(removed)]
    if (add.length + remove.length > 0) await adapter.label(userId, ids, { add, remove })
    return c.text('OK')
  })

  app.post('/mark-all-as-read', async (c) => {
    const { userId } = requireWrite(c)
    const form = await formIn(c)
    const ts = form.get('ts')
    if (ts !== undefined && !/^\d{0,20}$/.test(ts)) throw new Problem(400, 'invalid ts', 'send microseconds')
    for (const stream of form.all('s')) {
      const scope = await streamScope(stream, catalogue)
      if (!scope) throw new Problem(404, `there is no stream ${stream.slice(0, 60)}`, 'see subscription/list')
      const { feedIds, folder } = scope
      const target = { ...(feedIds && { feedIds }), ...(folder !== undefined && { folder }) }
      // Inclusive: clients send the date of the newest item that they show.
      const until = ts ? { seenBefore: Math.floor(Number(ts) / 1000) + 1 } : undefined
      await readerState.markAllRead(userId, target, until)
    }
    return c.text('OK')
  })

  app.post('/rename-tag', async (c) => {
    const { userId } = requireWrite(c)
    const form = await formIn(c)
    const name = folderOfLabel(form.get('dest') ?? '')
    if (name === undefined) throw new Problem(400, 'invalid dest', `send dest=${LABEL}NAME`)
    const [old, given] = [folderIn(form), truncateLabel(name)]
    const moved = await adapter.folders.rename(userId, old, given)
    if (moved === 0 && (await readerState.renameLabel(userId, old, given.slice(0, MAX_ENTRY_LABEL_LENGTH))) === 'taken')
      throw new Problem(409, 'there is another label of this name', 'choose another dest')
    return c.text('OK')
  })

  app.post('/disable-tag', async (c) => {
    const { userId } = requireWrite(c)
    const name = folderIn(await formIn(c))
    if ((await adapter.folders.rename(userId, name, null)) === 0) await readerState.renameLabel(userId, name, null)
    return c.text('OK')
  })
  return app
}

/** The labels among these tags, without those that are too long. */
function labelsIn(tags: string[]): string[] {
  const names = tags.flatMap((tag) => folderOfLabel(tag)?.trim() || [])
  return names.filter((name) => name.length <= MAX_ENTRY_LABEL_LENGTH).slice(0, MAX_LABELS_AT_ONCE)
}

const MAX_LABELS_AT_ONCE = 20

/** The folder or label that is renamed or removed: as a stream in `s`, or by its name in `t`. */
function folderIn(form: Form): string {
  const stream = form.get('s')
  return stream === undefined ? (form.get('t') ?? '') : normalizeUser(stream).slice(LABEL.length)
}
