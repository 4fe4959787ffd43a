/**
 * Which settings each role of a fleet reads. The help of a role's command and the table in docs/configuration.md are made of these lists; a
 * test opens every role and compares them with what is read.
 */
import { OPTION_NAMES, type OptionName } from './config.ts'

export const FLEET_ROLES = ['controller', 'fetcher', 'indexer', 'serve'] as const
export type FleetRoleName = (typeof FLEET_ROLES)[number]

const STORE: readonly OptionName[] = ['store', 'storePassword', 'secretKeyFile', 'forgetSecrets', 'contentStore']

/** The connection of a process to its fleet. */
export const QUEUE_OPTIONS: readonly OptionName[] = [
  'queue',
  'queuePassword',
  'queueName',
  'queueCredentials',
  'queueCa',
  'queueCert',
  'queueKey',
  'queueWait',
  'queueReplicas',
  'lease',
  'memberName',
  'region',
]

const LOG: readonly OptionName[] = ['log', 'logFormat']

/** Options of processes that send requests. */
export const NET_OPTIONS: readonly OptionName[] = [
  'timeout',
  'maxBody',
  'contact',
  'allowNetworks',
  'httpProxy',
  'httpsProxy',
  'proxyExcept',
  'dnsServers',
]

/** What a poll is worth, and how often there may be one. */
const BUDGET: readonly OptionName[] = ['budget', 'minInterval', 'maxInterval']

export const ROLE_OPTIONS: Record<FleetRoleName, readonly OptionName[]> = {
  controller: [
    ...STORE,
    ...QUEUE_OPTIONS,
    ...BUDGET,
    'strategy',
    'dedupeBy',
    'hostGap',
    'hostGapExcept',
    'robots',
    'publicUrl',
    'articles',
    'articleBacklog',
    'health',
    ...LOG,
  ],
  fetcher: [...QUEUE_OPTIONS, ...NET_OPTIONS, 'concurrency', 'robots', 'archive', 'archiveFileSize', 'health', ...LOG],
  indexer: [
    ...STORE,
    ...QUEUE_OPTIONS,
    ...BUDGET,
    'copies',
    'copyThreshold',
    'stories',
    'storyThreshold',
    'groupWindow',
    'groupMemory',
    'keepEntries',
    'keepPolls',
    'keepArticles',
    'keepPages',
    'maxPagesSize',
    'health',
    ...LOG,
  ],
  serve: [
    ...STORE,
    ...QUEUE_OPTIONS,
    ...BUDGET,
    ...NET_OPTIONS,
    'host',
    'port',
    'listenWithoutLogin',
    'trustProxy',
    'sharedReading',
    'maxFeedsPerUser',
    'strategy',
    'articles',
    'articleBacklog',
    'groupWindow',
    'concurrency',
    'publicUrl',
    'publishHub',
    ...LOG,
  ],
}

/** Which roles read a setting; none of those that only commands beside the crawl read. */
export function rolesReading(name: OptionName): FleetRoleName[] {
  return FLEET_ROLES.filter((role) => ROLE_OPTIONS[role].includes(name))
}

/** In the order of the table of settings. */
export function optionsOf(role: FleetRoleName): OptionName[] {
  return OPTION_NAMES.filter((name) => ROLE_OPTIONS[role].includes(name))
}
