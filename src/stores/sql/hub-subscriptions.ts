/** Hub subscriptions. Fields that are not queried are in one JSON column. */
import { bucketOf, type HubSubscription } from '../../model/index.ts'
import type { HubSubscriptionMethods } from '../methods.ts'
import { columnNames, insertRowsSql, type TypedColumn } from './dialect.ts'
import { type HubSubscriptionRow, hubSubscriptionOf } from './hub-subscription-rows.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost } from './values.ts'

const CHUNK = 500

export function hubSubscriptionMethods(session: SqlSession): HubSubscriptionMethods {
  const { dialect } = session
  const columns: TypedColumn[] = [
    'token text',
    'revision integer',
    'feed_id bigint',
    'state text',
    'due_at bigint',
    'facts text',
    ...dialect.bucketColumn,
  ]
  const names = columnNames(columns)
  const insert = `${insertRowsSql('hub_subscriptions', 'token', columns)} ON CONFLICT (token) DO NOTHING`
  const assignments = names.slice(2).map((name) => `${name} = g.${name}`)
  const update = `UPDATE hub_subscriptions SET revision = hub_subscriptions.revision + 1, ${assignments.join(', ')} FROM given g
    WHERE hub_subscriptions.token = g.token AND hub_subscriptions.revision = g.revision`

  function* recordHubSubscriptions(tx: SqlTransaction, subscriptions: HubSubscription[]): SqlWork<boolean[]> {
    const added = subscriptions.filter(({ revision }) => revision === undefined)
    const changed = subscriptions.filter(({ revision }) => revision !== undefined)
    const isAdded = yield* tx.changeEach(insert, 'hub_subscriptions.token', columns, added.map(columnsOf))
    const isChanged = yield* tx.changeEach(update, 'hub_subscriptions.token', columns, changed.map(columnsOf))
    return subscriptions.map(({ revision }) => (revision === undefined ? isAdded.shift()! : isChanged.shift()!))
  }

  return {
    async hubSubscriptionByToken(token) {
      const row = await session.row<HubSubscriptionRow>('SELECT * FROM hub_subscriptions WHERE token = $1', [token])
      return row && hubSubscriptionOf(row)
    },

    async hubSubscriptionsOf(ids) {
      const rows = await session.rowOfEach<HubSubscriptionRow>(
        "SELECT p.* FROM given g, hub_subscriptions p WHERE p.feed_id = g.feed_id AND p.state <> 'ending'",
        ['feed_id bigint'],
        ids.map((id) => [id]),
      )
      return rows.map((row) => row && hubSubscriptionOf(row))
    },

    async *everyHubSubscription() {
      for (let after = ''; ; ) {
        const rows = await session.rows<HubSubscriptionRow>(
          "SELECT * FROM hub_subscriptions WHERE token > $1 AND state <> 'ending' ORDER BY token LIMIT $2",
          [after, CHUNK],
        )
        yield* rows.map(hubSubscriptionOf)
        const last = rows.at(-1)
        if (!last || rows.length < CHUNK) return
        after = last.token
      }
    },

    async dueHubSubscriptions(now, limit, owned) {
      const inBuckets = dialect.ownedBuckets(owned, 3)
      const rows = await session.rows<HubSubscriptionRow>(
        `SELECT * FROM hub_subscriptions WHERE due_at <= $1 AND ${inBuckets.sql} ORDER BY due_at, token LIMIT $2`,
        [now, atMost(limit), ...inBuckets.values],
      )
      return rows.map(hubSubscriptionOf)
    },

    async nextHubAt(owned) {
      const inBuckets = dialect.ownedBuckets(owned, 1)
      const row = await session.row<HubSubscriptionRow>(
        `SELECT due_at FROM hub_subscriptions WHERE ${inBuckets.sql} ORDER BY due_at, token LIMIT 1`,
        inBuckets.values,
      )
      return row?.due_at
    },

    recordHubSubscriptions: (subscriptions) => session.write((tx) => recordHubSubscriptions(tx, subscriptions)),

    dropHubSubscriptions(subscriptions) {
      return session.write((tx) =>
        tx.changeEach(
          'DELETE FROM hub_subscriptions USING given g WHERE hub_subscriptions.token = g.token AND hub_subscriptions.revision = g.revision',
          'hub_subscriptions.token',
          ['token text', 'revision integer'],
          subscriptions.map(({ token, revision = null }) => [token, revision]),
        ),
      )
    },
  }
}

function columnsOf(subscription: HubSubscription): unknown[] {
  const { token, revision, feedId, state, dueAt, ...facts } = subscription
  return [token, revision ?? 0, feedId, state, dueAt, JSON.stringify(facts), bucketOfHubSubscription(subscription)]
}

/** Subscriptions of earlier versions have no bucket; the hub's host name serves as well. */
function bucketOfHubSubscription({ bucket, hub }: HubSubscription): number {
  return bucket ?? bucketOf(new URL(hub).hostname)
}
