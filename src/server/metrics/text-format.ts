/** The text format of Prometheus, version 0.0.4. Names and labels are constants of ours, so they are not escaped. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export interface Metric {
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  samples: Sample[]
}

interface Sample {
  /** Appended to the metric's name, such as _bucket. */
  suffix?: string
  labels?: Record<string, string>
  value: number
}

export function metricsText(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) => {
      const lines = samples.map(
        ({ suffix = '', labels = {}, value }) => `${name}${suffix}${formatLabels(labels)} ${value}`,
      )
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
    })
    .join('')
}

export function gauge(name: string, help: string, value: number): Metric {
  return { name, type: 'gauge', help, samples: [{ value }] }
}

export function counter(name: string, help: string, value: number): Metric {
  return { name, type: 'counter', help, samples: [{ value }] }
}

/** One sample for each value of a label. */
export function byLabel(
  metric: Omit<Metric, 'samples'>,
  label: string,
  values: Readonly<Record<string, number>>,
): Metric {
  return { ...metric, samples: Object.entries(values).map(([key, value]) => ({ labels: { [label]: key }, value })) }
}

export interface Histogram {
  add(value: number): void
  metric(name: string, help: string): Metric
}

/** `bounds` are the upper bounds of its buckets, inclusive and cumulative. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = bounds.map(() => 0)
  let [sum, count] = [0, 0]
  return {
    add(value) {
      sum += value
      count++
      bounds.forEach((bound, i) => {
        if (value <= bound) counts[i] = (counts[i] ?? 0) + 1
      })
    },
    metric(name, help) {
      const buckets = bounds.map((bound, i): [string, number] => [String(bound), counts[i] ?? 0])
      const samples = [
        ...[...buckets, ['+Inf', count] as const].map(([le, value]) => ({ suffix: '_bucket', labels: { le }, value })),
        { suffix: '_sum', value: sum },
        { suffix: '_count', value: count },
      ]
      return { name, type: 'histogram', help, samples }
    },
  }
}

function formatLabels(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}
