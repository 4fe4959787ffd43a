/** Recounts a store's counters from its rows, and looks for orphaned rows. */
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import type { Counts } from '../../ports/index.ts'
import { isNotRemovedSql } from '../sql/conditions.ts'

const feeds = (condition: string) => `SELECT count(*) FROM schedules WHERE ${condition}`
const articles = (state: string) => `SELECT count(*) FROM articles WHERE state = '${state}'`
const bytes = (table: string) => `(SELECT ifnull(sum(length(packed)), 0) FROM ${table})`

const STRAYS = {
  articles: `SELECT count(*) FROM articles a WHERE state <> 'same'
    AND NOT EXISTS (SELECT 1 FROM article_entries WHERE article_id = a.id)`,
  aliases: `SELECT count(*) FROM articles a WHERE state = 'same'
    AND NOT EXISTS (SELECT 1 FROM articles WHERE id = a.same_as AND state <> 'same')`,
  links: `SELECT count(*) FROM article_entries l WHERE NOT EXISTS (SELECT 1 FROM entries WHERE id = l.entry_id)
    OR NOT EXISTS (SELECT 1 FROM articles WHERE id = l.article_id AND state <> 'same')`,
  texts: 'SELECT count(*) FROM article_texts WHERE article_id NOT IN (SELECT id FROM articles)',
  pages: 'SELECT count(*) FROM pages WHERE article_id NOT IN (SELECT article_id FROM article_texts)',
  patterns: 'SELECT count(*) FROM page_patterns p WHERE NOT EXISTS (SELECT 1 FROM pages WHERE pattern_id = p.id)',
  missingPatterns: `SELECT count(*) FROM pages
    WHERE pattern_id IS NOT NULL AND pattern_id NOT IN (SELECT id FROM page_patterns)`,
  lines: `SELECT count(*) FROM article_queues l WHERE due_at IS NOT
    max(not_before_at, (SELECT min(due_at) FROM articles WHERE root = l.root AND due_at IS NOT NULL))`,
  missingLines: `SELECT count(*) FROM articles
    WHERE due_at IS NOT NULL AND root NOT IN (SELECT root FROM article_queues)`,
}

/** Compares `counts` of the store with its rows. */
export function expectRecounted(file: string, { waiting: _waiting, bytes: _bytes, ...counts }: Counts): void {
  const db = new Database(file, { readonly: true })
  try {
    const count = (sql: string) => db.prepare<[], number>(sql).pluck().get()
    expect(counts).toEqual({
      feeds: {
        active: count(feeds("state = 'active'")),
        paused: count(feeds("state = 'paused'")),
        gone: count(feeds("state = 'gone'")),
      },
      failing: count(feeds("state = 'active' AND trouble IS NOT NULL")),
      unpolled: count(feeds("state = 'active' AND polled_at IS NULL")),
      looking: count("SELECT count(*) FROM sources WHERE state = 'looking'"),
      entries: count(`SELECT count(*) FROM entries e WHERE ${isNotRemovedSql('e')}`),
      polls: count(
        `SELECT (SELECT ifnull(sum(times), 0) FROM polls) +
         (SELECT ifnull(sum(unicode(substr(run, 1, 1))), 0) FROM schedules)`,
      ),
      articles: {
        waiting: count(articles('waiting')),
        read: count(articles('read')),
        refused: count(articles('refused')),
        failed: count(articles('failed')),
        pages: count('SELECT count(*) FROM pages'),
        textBytes: count(`SELECT ${bytes('article_texts')}`),
        pageBytes: count(`SELECT ${bytes('pages')} + ${bytes('page_patterns')}`),
      },
    })
    const strays = Object.entries(STRAYS).filter(([, sql]) => count(sql) !== 0)
    expect(strays.map(([what]) => what)).toEqual([])
  } finally {
    db.close()
  }
}
