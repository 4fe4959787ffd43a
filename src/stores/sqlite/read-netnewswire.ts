/** Reads the articles with their state from the database of NetNewsWire (`DB.sqlite3` of an account). */
import Database from 'better-sqlite3'

/** As the database has it; dates are seconds. */
export interface NetNewsWireArticle {
  feedID: string | null
  uniqueID: string | null
  title: string | null
  url: string | null
  contentHTML: string | null
  published: number | null
  read: number
  starred: number
}

const COLUMNS = ['feedID', 'uniqueID', 'title', 'url', 'externalURL', 'contentHTML', 'datePublished']

/** Starred ones first, then the newest. Undefined if it is not a database of NetNewsWire. Opens the file for reading only. */
export function readNetNewsWire(file: string, limit: number): NetNewsWireArticle[] | undefined {
  let db: Database.Database | undefined
  try {
    db = new Database(file, { readonly: true, fileMustExist: true })
    const columns = new Set((db.pragma('table_info(articles)') as { name: string }[]).map(({ name }) => name))
    const states = db.pragma('table_info(statuses)') as unknown[]
    if (!columns.has('articleID') || states.length === 0) return undefined
    const [feedID, uniqueID, title, url, externalURL, contentHTML, datePublished] = COLUMNS.map((name) =>
      columns.has(name) ? `a.${name}` : 'NULL',
    )
    return db
      .prepare(
        `SELECT ${feedID} AS feedID, ${uniqueID} AS uniqueID, ${title} AS title, coalesce(${url}, ${externalURL}) AS url,
           ${contentHTML} AS contentHTML, coalesce(${datePublished}, s.dateArrived) AS published, s.read AS read, s.starred AS starred
         FROM statuses s JOIN articles a ON a.articleID = s.articleID WHERE s.read OR s.starred
         ORDER BY s.starred DESC, published DESC LIMIT ?`,
      )
      .all(limit) as NetNewsWireArticle[]
  } catch (error) {
    if (error instanceof Database.SqliteError) return undefined
    throw error
  } finally {
    db?.close()
  }
}
