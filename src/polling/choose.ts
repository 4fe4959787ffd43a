/** Who goes first when not all can go. */
import type { Instant, ScheduledFeed } from '../model/index.ts'
import type { Strategy } from './strategy.ts'

/** The due feeds, most urgent first; ties go to the one that has waited longest. */
export function mostUrgentFirst<Held extends ScheduledFeed>(
  due: Held[],
  now: Instant,
  strategyNamed: (name: string) => Strategy,
): Held[] {
  const urgencyOf = ({ feed, schedule }: ScheduledFeed) =>
    strategyNamed(schedule.strategy).urgency?.(schedule.memory, now, feed) ?? now - schedule.dueAt
  return due
    .map((scheduled) => ({ scheduled, urgency: urgencyOf(scheduled) }))
    .sort((a, b) => b.urgency - a.urgency || a.scheduled.schedule.dueAt - b.scheduled.schedule.dueAt)
    .map(({ scheduled }) => scheduled)
}
