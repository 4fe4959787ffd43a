/**
 * The settings that each role of a fleet reads. The help of a role and a table in docs/configuration.md are generated from these lists; a
 * test opens every role and compares the lists with the settings that it reads.
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

/** Poll budget and intervals. */
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
    'oidcIssuer',
    'oidcClientId',
    'oidcClientSecret',
    'oidcScopes',
    'oidcLabel',
    'oidcGroupsClaim',
    'oidcLinkBy',
    'oidcOnly',
    'proxyUserHeader',
    'proxyGroupsHeader',
    'provisionUsers',
    'groupRoles',
    'sharedReading',
    'includeNoarchive',
    'proxyMedia',
    'maxFeedsPerUser',
    'strategy',
    'articles',
    'articleBacklog',
    'groupWindow',
    'concurrency',
    'publicUrl',
    'publishHub',
    'notesFolder',
    'smtpHost',
    'smtpPort',
    'smtpTls',
    'smtpUser',
    'smtpPassword',
    'smtpFrom',
    ...LOG,
  ],
}

/** The roles that read a setting. Empty for settings that only other commands read. */
export function rolesUsing(name: OptionName): FleetRoleName[] {
  return FLEET_ROLES.filter((role) => ROLE_OPTIONS[role].includes(name))
}

/** The settings of a role, in the order of the table. */
export function optionsOf(role: FleetRoleName): OptionName[] {
  return OPTION_NAMES.filter((name) => ROLE_OPTIONS[role].includes(name))
}
