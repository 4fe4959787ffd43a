/** Method and path of each operation. Does not compile if it differs from the API description. */
import type { Operations } from '../api/index.ts'

/** Operations that return documents, such as feeds and pictures, are excluded. */
export type OperationName = {
  [Name in keyof Operations]: FormOf<Operations[Name]> extends 'document' ? never : Name
}[keyof Operations]

/** The format of a response: JSON or nothing, lines of JSON, or a stream of messages. */
export type FormOf<Operation> = Operation extends { responses: { 200: { content: infer Content } } }
  ? 'application/json' extends keyof Content
    ? 'json'
    : 'application/x-ndjson' extends keyof Content
      ? 'lines'
      : 'text/event-stream' extends keyof Content
        ? 'messages'
        : 'document'
  : 'json'

type Route<Operation extends Operations[OperationName]> =
  FormOf<Operation> extends infer Form
    ? Form extends 'json'
      ? readonly [method: Uppercase<Operation['method']>, path: Operation['path']]
      : readonly [method: Uppercase<Operation['method']>, path: Operation['path'], form: Form]
    : never

type Routes = { [Name in OperationName]: Route<Operations[Name]> }

export const ROUTES: Routes = {
  getStatus: ['GET', '/api/v1/status'],
  getDiskUsage: ['GET', '/api/v1/status/disk-usage'],
  listHosts: ['GET', '/api/v1/hosts'],
  getStatistics: ['GET', '/api/v1/statistics'],
  listFeeds: ['GET', '/api/v1/feeds'],
  getFeed: ['GET', '/api/v1/feeds/{id}'],
  getRounds: ['GET', '/api/v1/feeds/{id}/rounds'],
  addFeeds: ['POST', '/api/v1/feeds'],
  editFeed: ['PATCH', '/api/v1/feeds/{id}'],
  removeFeed: ['DELETE', '/api/v1/feeds/{id}'],
  pollFeed: ['POST', '/api/v1/feeds/{id}/poll'],
  fetchArticle: ['POST', '/api/v1/entries/{id}/article'],
  listEntries: ['GET', '/api/v1/entries'],
  getEntry: ['GET', '/api/v1/entries/{id}'],
  getArticle: ['GET', '/api/v1/entries/{id}/article'],
  getCopies: ['GET', '/api/v1/entries/{id}/copies'],
  getGroupsOfEntry: ['GET', '/api/v1/entries/{id}/groups'],
  getChapters: ['GET', '/api/v1/entries/{id}/chapters'],
  listGroups: ['GET', '/api/v1/groups'],
  getGroup: ['GET', '/api/v1/groups/{id}'],
  regroupEntries: ['POST', '/api/v1/groups/again'],
  listSubscriptions: ['GET', '/api/v1/subscriptions'],
  addSubscriptions: ['POST', '/api/v1/subscriptions'],
  importOpml: ['POST', '/api/v1/opml'],
  importReaderData: ['POST', '/api/v1/import'],
  editSubscriptions: ['PATCH', '/api/v1/subscriptions'],
  removeSubscriptions: ['POST', '/api/v1/subscriptions/removal'],
  editSubscription: ['PATCH', '/api/v1/subscriptions/{id}'],
  removeSubscription: ['DELETE', '/api/v1/subscriptions/{id}'],
  listPendingSubscriptions: ['GET', '/api/v1/subscriptions/pending'],
  removePendingSubscription: ['DELETE', '/api/v1/subscriptions/pending/{id}'],
  getSuggestions: ['GET', '/api/v1/suggestions'],
  getReadState: ['GET', '/api/v1/reading'],
  listPlayback: ['GET', '/api/v1/playback'],
  setPlayback: ['PUT', '/api/v1/playback/{id}'],
  renameFolder: ['PATCH', '/api/v1/reading/folders/{folder}'],
  listLabels: ['GET', '/api/v1/labels'],
  labelEntries: ['POST', '/api/v1/labels/entries'],
  renameLabel: ['PATCH', '/api/v1/labels/{label}'],
  removeLabel: ['DELETE', '/api/v1/labels/{label}'],
  getNotifications: ['GET', '/api/v1/notifications'],
  createPushKey: ['POST', '/api/v1/notifications/key'],
  addPushDevice: ['POST', '/api/v1/notifications/devices'],
  removePushDevice: ['DELETE', '/api/v1/notifications/devices/{id}'],
  testNotifications: ['POST', '/api/v1/notifications/test'],
  setSearchNotification: ['PUT', '/api/v1/notifications/searches/{id}'],
  setDigest: ['PUT', '/api/v1/notifications/digest'],
  removeDigest: ['DELETE', '/api/v1/notifications/digest'],
  previewDigest: ['GET', '/api/v1/notifications/digest/preview'],
  setEmail: ['PUT', '/api/v1/notifications/email'],
  removeEmail: ['DELETE', '/api/v1/notifications/email'],
  listRules: ['GET', '/api/v1/rules'],
  addRule: ['POST', '/api/v1/rules'],
  replaceRules: ['PUT', '/api/v1/rules'],
  editRule: ['PATCH', '/api/v1/rules/{id}'],
  removeRule: ['DELETE', '/api/v1/rules/{id}'],
  previewRule: ['POST', '/api/v1/rules/preview'],
  applyRule: ['POST', '/api/v1/rules/{id}/apply'],
  markEntries: ['POST', '/api/v1/reading/state'],
  markAllRead: ['POST', '/api/v1/reading/read'],
  undoMarks: ['POST', '/api/v1/reading/undo'],
  getForYou: ['GET', '/api/v1/for-you'],
  reportInteractions: ['POST', '/api/v1/for-you/interactions'],
  listInteractions: ['GET', '/api/v1/for-you/interactions'],
  getLearned: ['GET', '/api/v1/for-you/learned'],
  changeLearned: ['PATCH', '/api/v1/for-you/learned'],
  forgetLearned: ['DELETE', '/api/v1/for-you/learned'],
  compareOwnRanking: ['GET', '/api/v1/for-you/comparison'],
  listSearches: ['GET', '/api/v1/searches'],
  addSearch: ['POST', '/api/v1/searches'],
  editSearch: ['PATCH', '/api/v1/searches/{id}'],
  removeSearch: ['DELETE', '/api/v1/searches/{id}'],
  listFeedsOut: ['GET', '/api/v1/feeds-out'],
  addFeedOut: ['POST', '/api/v1/feeds-out'],
  editFeedOut: ['PATCH', '/api/v1/feeds-out/{id}'],
  moveFeedOut: ['POST', '/api/v1/feeds-out/{id}/address'],
  removeFeedOut: ['DELETE', '/api/v1/feeds-out/{id}'],
  listWebhooks: ['GET', '/api/v1/webhooks'],
  addWebhook: ['POST', '/api/v1/webhooks'],
  editWebhook: ['PATCH', '/api/v1/webhooks/{id}'],
  changeWebhookSecret: ['POST', '/api/v1/webhooks/{id}/secret'],
  removeWebhook: ['DELETE', '/api/v1/webhooks/{id}'],
  listSources: ['GET', '/api/v1/sources'],
  getSource: ['GET', '/api/v1/sources/{id}'],
  removeSource: ['DELETE', '/api/v1/sources/{id}'],
  listFolders: ['GET', '/api/v1/folders'],
  setFolderGoals: ['PUT', '/api/v1/folders/{folder}'],
  getBudget: ['GET', '/api/v1/budget'],
  setBudget: ['PUT', '/api/v1/budget'],
  getGoals: ['GET', '/api/v1/goals'],
  listPolls: ['GET', '/api/v1/polls'],
  getSession: ['GET', '/api/v1/session'],
  logIn: ['POST', '/api/v1/session'],
  logInProgram: ['POST', '/api/v1/session/token'],
  logOut: ['DELETE', '/api/v1/session'],
  setUp: ['POST', '/api/v1/setup'],
  changePassword: ['PUT', '/api/v1/session/password'],
  listUsers: ['GET', '/api/v1/users'],
  addUser: ['POST', '/api/v1/users'],
  editUser: ['PATCH', '/api/v1/users/{id}'],
  removeUser: ['DELETE', '/api/v1/users/{id}'],
  listTokens: ['GET', '/api/v1/users/{id}/tokens'],
  addToken: ['POST', '/api/v1/users/{id}/tokens'],
  revokeToken: ['DELETE', '/api/v1/users/{id}/tokens/{token}'],
  listHubs: ['GET', '/api/v1/hubs'],
  exportFeeds: ['GET', '/api/v1/export/feeds', 'lines'],
  exportEntries: ['GET', '/api/v1/export/entries', 'lines'],
  exportArticles: ['GET', '/api/v1/export/articles', 'lines'],
  exportPolls: ['GET', '/api/v1/export/polls', 'lines'],
  exportHours: ['GET', '/api/v1/export/hours', 'lines'],
  openStream: ['GET', '/api/v1/stream', 'messages'],
  previewFeeds: ['POST', '/api/v1/preview'],
  listKnownHosts: ['GET', '/api/v1/hosts/known'],
  getSite: ['GET', '/api/v1/sites/{host}'],
  getDelays: ['GET', '/api/v1/statistics/delays'],
  getBacktest: ['GET', '/api/v1/lab/backtest'],
  startBacktest: ['POST', '/api/v1/lab/backtest'],
  stopBacktest: ['DELETE', '/api/v1/lab/backtest'],
  switchStrategy: ['PUT', '/api/v1/lab/strategy'],
  listSettings: ['GET', '/api/v1/settings'],
  listFetchers: ['GET', '/api/v1/fetchers'],
}
