/**
 * Writes entries as Markdown files for note-taking programs: one folder per user below the folder that the operator names. Files are named
 * after the title and never overwritten.
 */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WriteNote } from '../destinations/index.ts'
import type { UserId } from '../model/index.ts'
import type { Users } from '../ports/index.ts'
import { makeFolder } from '../runtime/make-folder.ts'
import { MARKDOWN } from './article-formats.ts'
import { readableEntry } from './readable-article.ts'

/** Files per user. */
const MAX_FILES = 20_000
/** Files of the same name. */
const MAX_SAME_NAME = 100

export function createNoteFolder(root: string, users: Pick<Users, 'allUsers'>): WriteNote {
  async function folderOf(userId: UserId): Promise<string> {
    const user = (await users.allUsers()).find(({ id }) => id === userId)
    return join(root, userFolder(userId, user?.name))
  }

  return async (userId, entry) => {
    const document = MARKDOWN.document({ ...readableEntry(entry), id: `e${entry.id}` })
    try {
      const folder = await folderOf(userId)
      makeFolder(folder)
      if ((await readdir(folder)).length >= MAX_FILES) return `the folder has ${MAX_FILES} files`
      const name = noteName(entry.title)
      for (let i = 1; i <= MAX_SAME_NAME; i++) {
        if (await writeNew(join(folder, `${name}${i === 1 ? '' : ` ${i}`}.md`), document)) return undefined
      }
      return `there are ${MAX_SAME_NAME} files of this title`
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (code === '') throw error
      return `the file could not be written (${code})`
    }
  }
}

/** Returns false if there is a file of this name, or a link. */
async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Names of users that could leave the folder, or be confused with another, are replaced by their id. */
export function userFolder(id: UserId, name = ''): string {
  const isSafe = /^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(name) && name.length <= 60 && !/^user-\d+$/i.test(name)
  return isSafe ? name : `user-${id}`
}

/** Without characters that file systems or Obsidian do not allow, and of at most 200 bytes. */
export function noteName(title: string): string {
  const words = title
    .normalize('NFC')
    .replace(/[\p{C}\\/:*?"<>|#^[\]]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[. ]+/, '')
  let name = ''
  for (const character of words) {
    if (Buffer.byteLength(name + character) > MAX_NAME_BYTES) break
    name += character
  }
  name = name.replace(/[. ]+$/, '').trim()
  return name === '' || RESERVED.test(name) ? `Entry ${name}`.trim() : name
}

const MAX_NAME_BYTES = 200
/** Device names of Windows. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
