/** The types of the texts in en.json, written by `npm run texts`. */
export interface Texts {
  frame: {
    sections: string
    feeds: string
    categories: string
    add: string
    dashboard: string
    menu: string
    close: string
    findFeed: string
    lastPollFailed: string
    noMatchingFeed: string
    allFeeds: string
    feedsOfFolder: (values: { name: string | number }) => string
    skip: string
    unreachable: string
    undo: string
    dismiss: string
    loading: string
    viewFailed: (values: { reason: string | number }) => string
  }
  manage: {
    title: string
    pages: {
      all: string
      trouble: string
      silent: string
      suggestions: string
    }
    noFolder: string
    toTop: string
    newFolder: string
    newFolderHint: string
    moveTo: string
    moveTitle: (values: { count: number; name: string | number }) => string
    move: string
    cancel: string
    actionsOf: (values: { name: string | number }) => string
    rename: string
    newName: (values: { name: string | number }) => string
    remove: string
    removeTitle: (values: { name: string | number }) => string
    removeFeeds: (values: { count: number }) => string
    moveOutTo: (values: { folder: string | number }) => string
    moveOut: string
    unfollowThem: string
    removeNow: string
    open: string
    unfollow: string
    markRead: string
    pause: string
    resume: string
    setStrategy: string
    strategy: string
    strategyTitle: (values: { count: number }) => string
    apply: string
    unfollowed: (values: { count: number; title: string | number }) => string
    movedTo: (values: { count: number; folder: string | number }) => string
    movedOut: (values: { count: number }) => string
    folderMovedTo: (values: { name: string | number; parent: string | number }) => string
    folderMovedToTop: (values: { name: string | number }) => string
    folderRemoved: (values: { name: string | number }) => string
    renamed: (values: { name: string | number }) => string
    changed: (values: { count: number }) => string
    notChanged: (values: { count: number; reason: string | number }) => string
    find: string
    show: string
    states: {
      any: string
      unread: string
      paused: string
      failing: string
      silent: string
    }
    columns: {
      title: string
      folder: string
      lastEntry: string
      perWeek: string
      unread: string
      next: string
      state: string
    }
    perWeekTitle: string
    sortBy: (values: { column: string | number }) => string
    ok: string
    failing: string
    paused: string
    gone: string
    perWeek: (values: { count: string | number }) => string
    silent: string
    never: string
    selectAll: string
    select: (values: { title: string | number }) => string
    selected: (values: { count: number }) => string
    clear: string
    shown: (values: { count: number }) => string
    shownOf: (values: { shown: string | number; count: number }) => string
    tooMany: (values: { count: number }) => string
    keys: string
    noFeeds: string
    noMatch: string
    leads: {
      trouble: string
      silent: string
    }
    noneOf: {
      trouble: string
      silent: string
    }
    showMore: (values: { count: number }) => string
    lastSuccess: (values: { when: string | number }) => string
    lastEntry: (values: { when: string | number }) => string
    neverWorked: string
    usualGap: (values: { time: string | number }) => string
    failures: (values: { count: number }) => string
    nextPoll: (values: { when: string | number }) => string
    pollNow: string
    editAddress: string
    findMoved: string
    useAddress: string
    followInstead: string
    addressChanged: (values: { title: string | number }) => string
    candidates: string
    noCandidates: string
    notEditable: string
    suggest: {
      lead: string
      computing: string
      none: (values: { count: number }) => string
      linked: string
      linkedBy: (values: { feeds: number; entries: number }) => string
      first: string
      firstIn: (values: { stories: string | number; lead: string | number }) => string
      follow: string
      followNamed: (values: { name: string | number }) => string
      isFollowed: string
      followed: (values: { name: string | number }) => string
    }
    advice: {
      silent: string
      silentAdvice: string
      successor: (values: { url: string | number }) => string
      successorAdvice: string
      gone: string
      notFound: string
      notAFeed: string
      movedAdvice: string
      login: string
      loginAdvice: string
      refusedAdvice: string
      tooMany: string
      waitAdvice: string
      unreachableAdvice: string
    }
  }
  lists: {
    all: string
    unread: string
    starred: string
    listening: string
    'for-you': string
    label: string
    labels: string
    muted: string
    morning: string
    feed: string
    search: string
    saved: string
  }
  categories: {
    world: string
    politics: string
    business: string
    technology: string
    science: string
    health: string
    environment: string
    culture: string
    entertainment: string
    sports: string
    local: string
    opinion: string
    crime: string
    education: string
    lifestyle: string
  }
  theme: {
    title: (values: { theme: string | number }) => string
    themes: {
      auto: string
      light: string
      dark: string
      contrast: string
    }
  }
  login: {
    title: string
    name: string
    password: string
    in: string
    out: string
  }
  keys: {
    title: string
    groups: {
      read: string
      listen: string
      go: string
    }
    nextOpen: string
    previousOpen: string
    next: string
    previous: string
    open: string
    pageDown: string
    original: string
    read: string
    star: string
    switchText: string
    fetchPage: string
    allRead: string
    playPause: string
    skipBack: string
    skipForward: string
    previousChapter: string
    nextChapter: string
    slower: string
    faster: string
    enqueue: string
    undo: string
    refresh: string
    close: string
    search: string
    list: string
    goAll: string
    goUnread: string
    goStarred: string
    goForYou: string
    label: string
    goRules: string
    goMorning: string
    goAdd: string
    goDashboard: string
    goFeeds: string
    goManage: string
    space: string
  }
  labels: {
    title: string
    edit: string
    find: string
    create: (values: { name: string | number }) => string
    none: string
    hint: string
  }
  offline: {
    title: string
    lead: string
    unsupported: string
    allUnread: string
    loading: string
    summary: (values: { entries: number; pictures: number; size: string | number; when: string | number }) => string
    isCut: string
    available: (values: { entries: number; when: string | number }) => string
    waiting: (values: { count: number }) => string
  }
  listMenu: {
    title: string
    layout: string
    layouts: {
      compact: string
      summary: string
      cards: string
      magazine: string
    }
    order: string
    orders: {
      newest: string
      oldest: string
      best: string
    }
    groupBy: string
    groupings: {
      none: string
      day: string
      feed: string
    }
    unreadOnly: string
    markOnScroll: string
    useForAll: string
  }
  search: {
    label: string
    placeholder: string
    clear: string
    save: string
    removeSaved: string
    suggestions: string
    noResults: string
    hits: (values: { count: number; shown: string | number }) => string
    hitsFolded: (values: { count: number; shown: string | number; folded: string | number }) => string
    showAll: string
    feeds: (values: { count: number }) => string
    times: {
      '24h': string
      '7d': string
      '30d': string
      '365d': string
    }
    is: {
      unread: string
      read: string
      starred: string
      muted: string
    }
    kinds: {
      feed: string
      folder: string
      saved: string
      recent: string
      forget: string
    }
    operators: {
      'feed:': string
      'folder:': string
      'category:': string
      'lang:': string
      'site:': string
      'author:': string
      'since:': string
      'until:': string
      'label:': string
      'is:': string
      '-': string
      '"': string
      OR: string
    }
  }
  read: {
    list: string
    article: string
    untitled: string
    unique: string
    uniqueTitle: string
    aboutFeed: string
    copiesTitle: (values: { count: number }) => string
    entries: (values: { count: number }) => string
    isUnread: string
    star: string
    starNamed: (values: { title: string | number }) => string
    markRead: string
    markUnread: string
    markedRead: (values: { count: number }) => string
    original: string
    previous: string
    next: string
    backToList: string
    smallerText: string
    largerText: string
    textOf: string
    from: {
      feed: string
      page: string
    }
    fromTitle: {
      feed: string
      page: string
    }
    fetchPage: string
    fetching: string
    fetchedAt: (values: { when: string | number }) => string
    fetchedAtBecause: (values: { when: string | number; reason: string | number }) => string
    fetchFailed: string
    fetchFailedBecause: (values: { reason: string | number }) => string
    minutes: (values: { count: number }) => string
    paywall: {
      locked: string
      metered: string
    }
    alsoPublished: (values: { copies: number }) => string
    noText: string
    readAt: (values: { host: string | number }) => string
    readOriginal: string
    arrived: (values: { when: string | number }) => string
    arrivedAfter: (values: { when: string | number; time: string | number }) => string
    howPolled: string
    listen: string
    watch: string
    document: string
    transcript: string
    transcriptIn: (values: { language: string | number }) => string
    roles: {
      host: string
      guest: string
    }
    versions: (values: { count: number }) => string
    changedAt: (values: { when: string | number }) => string
    addressChanged: string
    headlineUnchanged: string
    removed: string
    added: string
    copies: (values: { count: number; shown: string | number }) => string
    story: (values: { count: number; shown: string | number }) => string
    earlier: (values: { time: string | number }) => string
    showAll: (values: { count: number }) => string
    publishedFirst: string
    later: (values: { time: string | number }) => string
    copy: string
    changedWords: string
    identical: string
    newEntries: (values: { count: number; shown: string | number }) => string
    tryAgain: string
    noEntries: string
    allRead: string
    noListening: string
    noStarred: string
    markAllRead: string
    endOfList: string
    selectEntry: string
    hintNext: string
    hintKeys: string
  }
  player: {
    label: string
    play: string
    pause: string
    back: string
    forward: string
    position: string
    positionOf: (values: { position: string | number; end: string | number }) => string
    more: string
    close: string
    speed: string
    times: (values: { speed: string | number }) => string
    volume: string
    sleep: string
    sleepOff: string
    sleepIn: (values: { minutes: number }) => string
    sleepAtEnd: string
    chapters: string
    chapterCount: (values: { count: number }) => string
    chapterLink: (values: { title: string | number }) => string
    previousChapter: string
    nextChapter: string
    playFrom: (values: { time: string | number }) => string
    queue: string
    queued: (values: { count: string | number }) => string
    queueEmpty: string
    playNext: string
    addToQueue: string
    playsNext: string
    addedToQueue: string
    removeFromQueue: (values: { title: string | number }) => string
    pictureInPicture: string
    failed: string
    left: (values: { time: string | number }) => string
    started: string
    finished: string
    markPlayed: string
    kinds: {
      audio: string
      video: string
    }
  }
  dates: {
    doubtful: string
    by: {
      published: string
      updated: string
      page: string
      address: string
      neighbours: string
      order: string
      seen: string
    }
    dayOnly: string
    fault: {
      future: string
      ancient: string
    }
    confidence: (values: { share: string | number }) => string
    note: (values: { source: string | boolean; fault: string | boolean; action: string | boolean }) => string
  }
  add: {
    title: string
    byAddress: string
    address: string
    addressHint: string
    folder: string
    noFolder: string
    findFeeds: string
    searching: string
    stop: string
    addMany: (values: { count: number }) => string
    found: (values: { count: number }) => string
    noFeed: string
    best: string
    add: string
    addNamed: (values: { title: string | number }) => string
    alreadyThere: string
    entries: (values: { count: number }) => string
    pace: (values: { count: number; perDay: string | number }) => string
    sameList: string
    why: string
    requestsMade: (values: { count: number }) => string
    via: {
      address: string
      'host-rule': string
      'link-header': string
      link: string
      anchor: string
      body: string
      probe: string
      sitemap: string
    }
    byFile: string
    drop: string
    fileHint: string
    imported: {
      title: string
      starred: (values: { count: number }) => string
      added: (values: { count: number }) => string
      labeled: (values: { count: number }) => string
      markedRead: (values: { count: number }) => string
      keptForPoll: (values: { count: number }) => string
      nothingNew: string
      found: (values: { count: number }) => string
      kept: (values: { count: number }) => string
      notHere: (values: { count: number }) => string
      created: string
      missing: string
      shared: string
      unassigned: (values: { count: number }) => string
      labelsRefused: string
    }
    dropAnywhere: string
    elsewhere: string
    bookmarklet: string
    bookmarkletHint: string
    handler: string
    handlerHint: string
    handlerAsked: string
    handlerRefused: string
    shareHint: string
    requested: string
    export: string
    byList: string
    listHint: string
    starterAdded: (values: { count: number }) => string
    refused: string
    report: string
    clear: string
    summary: {
      added: (values: { count: number }) => string
      known: (values: { count: number }) => string
      looking: (values: { count: number }) => string
      failed: (values: { count: number }) => string
      skipped: (values: { count: number }) => string
      nothing: string
    }
    states: {
      looking: string
      waiting: string
      known: string
    }
    entryCount: (values: { count: number }) => string
    more: (values: { count: number }) => string
    showAll: string
    readNews: string
    addUnseen: string
    unseenHint: string
  }
  readOnly: {
    title: (values: { name: string | number }) => string
    titleUnnamed: string
    readable: string
    read: string
    link: string
    more: (values: { count: number }) => string
    noFeeds: string
    askAdmin: string
  }
  welcome: {
    title: string
    lead: string
    address: string
    start: string
    topics: string
    opml: string
    opmlLink: string
    demo: string
    entriesArriveSoon: string
  }
  forYou: {
    why: string
    whyNamed: (values: { title: string | number }) => string
    noReasons: string
    raises: string
    lowers: string
    choices: {
      more: string
      less: string
      never: string
    }
    choiceTitles: {
      more: string
      less: string
      never: string
    }
    applied: string
    learnedLink: string
    empty: string
    learning: string
    lead: string
    learnedNothing: string
    learnedFrom: (values: { interactions: number; entries: number }) => string
    isLearning: string
    forget: string
    reallyForget: string
    forgetConfirmed: string
    keep: string
    weights: string
    comparison: string
    comparisonLead: (values: { sessions: number }) => string
    order: string
    precision: string
    methods: {
      personal: string
      newest: string
      feeds: string
    }
  }
  morning: {
    title: string
    order: string
    orders: {
      outlets: string
      'for-you': string
    }
    days: string
    before: string
    after: string
    noEntries: string
    reportedBy: (values: { first: string | number; count: number }) => string
    reports: (values: { count: number }) => string
    voices: (values: { count: number }) => string
    first: string
    sameText: string
    oneFeedOnly: string
    endOfDay: string
    allNews: string
  }
  heat: {
    busiestDay: (values: { day: string | number }) => string
    busiestHour: (values: { hour: string | number }) => string
    nothingBusy: string
    nothing: string
    cell: (values: { day: string | number; hour: string | number; count: string | number }) => string
  }
  site: {
    site: string
    visit: string
    search: string
    feeds: (values: { count: number; shown: string | number }) => string
    entries: (values: { count: number }) => string
    polled: (values: { when: string | number }) => string
    newest: string
    pattern: string
    copies: string
    copiesSummary: (values: { share: string | number; examined: string | number }) => string
    copiedBy: string
    copiesOf: string
    none: string
    robots: {
      read: string
      none: string
      unreachable: string
    }
    rules: (values: { count: number }) => string
    fetched: (values: { when: string | number }) => string
  }
  dashboard: {
    title: string
    pages: {
      overview: string
      feeds: string
      hosts: string
      stories: string
      goals: string
      lab: string
      'for-you': string
      settings: string
      account: string
      users: string
      integrations: string
      rules: string
      notifications: string
      fleet: string
    }
    overview: {
      arrivals: string
      last24Hours: string
      delay: string
      delayNote: string
      ninetiethPercentile: (values: { time: string | number }) => string
      polls: string
      withDocument: (values: { share: string | number }) => string
      budget: string
      noBudget: string
      ofBudget: (values: { budget: string | number }) => string
      copies: string
      stories: (values: { count: number }) => string
      failingFeeds: string
      ofFeeds: (values: { count: number }) => string
      hostsBackingOff: (values: { count: number }) => string
      disk: string
      entries: (values: { count: string | number }) => string
      inFlight: string
      since: (values: { when: string | number }) => string
      arrivalsChart: string
      entriesLine: string
      copiesLine: string
      pollsChart: string
      pollsLine: string
      failedLine: string
      delayChart: string
      median: string
      now: string
      noPolls: string
      next: string
      backingOffTitle: string
      noHostsBackingOff: string
      until: (values: { when: string | number }) => string
      diskBy: string
      calculate: string
      internalErrors: string
    }
    diskUsage: {
      feeds: string
      entries: string
      polls: string
      articles: string
      pages: string
      index: string
      rest: string
    }
    polls: {
      fresh: (values: { count: number }) => string
      changed: (values: { count: number }) => string
      nothingNew: string
      gap: string
      notModified: {
        server: string
        hash: string
        titles: string
      }
    }
    feeds: {
      find: string
      state: string
      order: string
      states: {
        any: string
        active: string
        paused: string
        gone: string
        failing: string
      }
      orders: {
        id: string
        due: string
      }
      feed: string
      folder: string
      entries: string
      polled: string
      next: string
      strategy: string
      never: string
      pushed: string
      nothing: string
      more: string
    }
    feed: {
      read: string
      poll: string
      pause: string
      resume: string
      edit: string
      remove: string
      follow: string
      unfollow: string
      isFollowed: string
      isUnfollowed: string
      keep: string
      removeTitle: (values: { title: string | number }) => string
      removeHint: string
      isRemoved: (values: { title: string | number }) => string
      isPaused: string
      isResumed: string
      pollsAt: (values: { when: string | number }) => string
      pollsAtBecause: (values: { when: string | number; reason: string | number }) => string
      failuresInARow: (values: { count: number }) => string
      retriedAt: (values: { when: string | number }) => string
      notRetried: string
      all: string
      successor: string
      redirects: string
      confirmMove: string
      next: string
      because: string
      by: {
        strategy: string
        'min-interval': string
        'max-interval': string
        server: string
        publisher: string
        failure: string
        push: string
        budget: string
        requested: string
      }
      curve: (values: { pending: string | number }) => string
      now: string
      pollAt: (values: { time: string | number }) => string
      notPolled: string
      rounds: {
        title: string
        waits: string
        silence: string
        now: (values: { M: string | number; T: string | number; ToE: string | number }) => string
        exact: string
        estimated: string
        thinned: (values: { every: number }) => string
      }
      pattern: string
      basedOn: (values: { count: number }) => string
      pollingStatistics: string
      pollsEvaluated: string
      pollsPerEntry: string
      conditional: string
      unchanged: string
      validators: string
      wrongValidators: string
      trusted: string
      unproven: string
      none: string
      failed: string
      pollDuration: string
      gap: string
      push: string
      noPush: string
      pushStates: {
        requested: string
        active: string
        trusted: string
        broken: string
        refused: string
        ending: string
      }
      pushes: (values: { count: number }) => string
      lastPush: (values: { when: string | number }) => string
      missed: (values: { when: string | number }) => string
      timeline: string
      timelineSummary: (values: { polls: number; fresh: string | number; failed: string | number; entries: number }) => string
      keyEntry: string
      keyFresh: string
      keySame: string
      keyFailed: string
      keyDue: string
      newest: string
      lastPolls: string
    }
    edit: {
      title: string
      folder: string
      category: string
      strategy: string
      articles: string
      articleChoices: {
        '': string
        auto: string
        always: string
        never: string
      }
      url: string
      save: string
      cancel: string
    }
    hosts: {
      lead: string
      find: string
      none: string
      noneFound: string
      host: string
      details: string
      backsOff: (values: { when: string | number }) => string
      strikes: (values: { count: number }) => string
      factor: (values: { factor: string | number }) => string
      delay: (values: { time: string | number }) => string
      states: {
        incident: string
        recovering: string
      }
      signs: {
        unreachable: string
        timeout: string
        'broken-body': string
        'not-a-feed': string
        'server-error': string
        refused: string
      }
      since: (values: { when: string | number; canaries: number }) => string
      more: (values: { count: number }) => string
    }
    stories: {
      level: string
      levels: {
        story: string
        copy: string
      }
      order: string
      orders: {
        recent: string
        large: string
      }
      nothing: string
      firstFeed: (values: { feed: string | number }) => string
      within: (values: { time: string | number }) => string
    }
    fleet: {
      fetchers: string
      lead: (values: { fetchers: number; busy: string | number; slots: string | number }) => string
      none: string
      name: string
      load: string
      loadOf: (values: { name: string | number }) => string
      slotsInUse: (values: { load: string | number; slots: string | number }) => string
      completed: string
      lastSeen: string
      since: (values: { when: string | number }) => string
      quarantined: (values: { reason: string | number; until: string | number }) => string
      ahead: (values: { time: string | number }) => string
      behind: (values: { time: string | number }) => string
      otherProcesses: string
      role: string
      roles: {
        controller: string
        fetcher: string
        indexer: string
        server: string
      }
      buckets: (values: { count: number }) => string
      leaderTasks: {
        index: string
        market: string
        places: string
        retention: string
      }
    }
    budget: {
      title: string
      lead: string
      label: string
      auto: string
      polls: (values: { polls: string | number }) => string
      meanDelay: string
      same: string
      longer: (values: { time: string | number }) => string
      shorter: (values: { time: string | number }) => string
      eachFeed: (values: { time: string | number }) => string
      autoMeans: (values: { polls: string | number }) => string
      now: (values: { polls: string | number; time: string | number }) => string
      beyond: string
      unknown: string
      asNow: string
      save: (values: { polls: string | number }) => string
      saveAuto: string
      saved: (values: { what: string | number }) => string
      fixed: (values: { where: string | number }) => string
      pollsByHour: string
      pollsLine: string
      plannedLine: string
      expectedAndActual: (values: { expected: string | number; actual: string | number }) => string
      waiting: (values: { count: number }) => string
      waitingNone: string
      origins: {
        flag: string
        environment: string
        'freshet.toml': string
        configuration: string
      }
    }
    goals: {
      title: string
      lead: string
      target: string
      choose: string
      folders: string
      feeds: string
      within: string
      none: string
      pollsPerDay: string
      same: string
      moreThan: (values: { count: string | number }) => string
      lessThan: (values: { count: string | number }) => string
      budget: string
      noBudget: string
      tooMuch: (values: { budget: string | number; times: string | number; needed: string | number }) => string
      mean: (values: { time: string | number }) => string
      tight: (values: { budget: string | number }) => string
      fits: (values: { budget: string | number }) => string
      save: (values: { time: string | number }) => string
      saveNone: string
      saved: string
      currentGoals: string
      goal: string
      polls: string
      delay: string
      withinTime: (values: { time: string | number }) => string
      notSooner: (values: { time: string | number }) => string
      notLater: (values: { time: string | number }) => string
      nothing: string
      sum: (values: { all: string | number; goals: string | number }) => string
    }
    lab: {
      lead: string
      historyLength: string
      days: (values: { count: number }) => string
      start: string
      running: string
      progress: (values: { done: string | number; total: string | number }) => string
      stop: string
      failed: string
      found: (values: { feeds: number; days: string | number }) => string
      table: string
      strategy: string
      polls: string
      delay: string
      switch: string
      today: string
      oracle: string
      chart: string
      confirmSwitch: string
      switchNamed: (values: { name: string | number }) => string
      switchTitle: (values: { name: string | number }) => string
      switchHint: string
      keep: string
      switched: (values: { count: number; name: string | number }) => string
      note: string
    }
    settings: {
      browser: string
      theme: string
      language: string
      languageOfBrowser: string
      markOnScroll: string
      server: string
      lead: string
      editLinks: {
        budget: string
        strategy: string
      }
      find: string
      changedOnly: string
      origins: {
        'freshet.toml': string
        environment: string
        flag: string
        default: string
      }
      none: string
      default: string
    }
    rules: {
      lead: string
      none: string
      add: string
      edit: (values: { name: string | number }) => string
      name: string
      scope: string
      allFeeds: string
      query: string
      queryHint: string
      actions: string
      kinds: {
        read: string
        star: string
        label: string
        mute: string
        'keep-only': string
        notify: string
        stop: string
        'fetch-article': string
      }
      labelName: string
      test: string
      tested: (values: { matched: string | number; checked: number }) => string
      save: string
      cancel: string
      remove: (values: { name: string | number }) => string
      editShort: string
      removeShort: string
      up: (values: { name: string | number }) => string
      down: (values: { name: string | number }) => string
      enabled: (values: { name: string | number }) => string
      apply: string
      applied: (values: { changed: string | number; checked: number }) => string
      applying: (values: { checked: number }) => string
      everyEntry: string
      matched: (values: { count: number }) => string
      last: (values: { when: string | number }) => string
    }
    integrations: {
      searches: string
      noSearches: string
      name: string
      query: string
      save: string
      remove: string
      removeNamed: (values: { name: string | number }) => string
      outgoingFeeds: string
      outgoingFeedsLead: string
      noOutgoingFeeds: string
      content: string
      kinds: {
        all: string
        unread: string
        starred: string
        'for-you': string
        digest: string
        feed: string
        folder: string
        category: string
        search: string
      }
      used: (values: { when: string | number }) => string
      unused: string
      createFeed: string
      copyNamed: (values: { format: string | number; name: string | number }) => string
      copied: string
      webhooks: string
      webhooksLead: string
      noWebhooks: string
      secret: string
      states: {
        active: string
        paused: string
        failed: string
      }
      last: (values: { when: string | number }) => string
      lastWithResult: (values: { when: string | number; result: string | number }) => string
      pause: string
      resume: string
      searchFirst: string
      url: string
      ofSearch: string
      addWebhook: string
    }
    users: {
      accounts: string
      noAccounts: string
      you: string
      accessOf: (values: { name: string | number }) => string
      scopes: {
        read: string
        write: string
        admin: string
      }
      since: (values: { date: string | number }) => string
      remove: string
      removeNamed: (values: { name: string | number }) => string
      confirmRemove: (values: { name: string | number }) => string
      removed: string
      added: string
      changed: string
      access: string
      add: string
      addFirst: string
      tokens: string
      tokensLead: string
      secret: string
      used: (values: { when: string | number }) => string
      unused: string
      revoke: string
      revokeNamed: (values: { name: string | number }) => string
      revoked: string
      program: string
      createToken: string
    }
  }
  troubles: {
    kinds: {
      unreachable: string
      timeout: string
      'too-large': string
      'broken-body': string
      redirects: string
      'forbidden-address': string
      'forbidden-by-robots': string
      'forbidden-by-page': string
      'not-a-feed': string
      'not-a-page': string
      'no-feed-found': string
      'hub-refused': string
      'hub-silent': string
      internal: string
    }
    http: (values: { status: string | number }) => string
    httpMeaning: (values: { status: string | number; meaning: string | number }) => string
    statuses: {
      '400': string
      '401': string
      '403': string
      '404': string
      '410': string
      '429': string
      '500': string
      '502': string
      '503': string
      '504': string
    }
    withDetail: (values: { trouble: string | number; detail: string | number }) => string
  }
  missingText: {
    waiting: string
    expired: string
    noarchive: string
    paywall: string
    robots: string
    noindex: string
    consent: string
    challenge: string
    login: string
    refused: string
    gone: string
    'not-a-page': string
    repeated: string
    unreachable: string
    overloaded: string
    'too-large': string
  }
  sendTo: {
    title: string
    find: string
    key: string
    copyLink: string
    copied: string
    notCopied: string
    share: string
    email: string
    addFirst: string
    manage: string
    sending: (values: { name: string | number }) => string
    sent: (values: { name: string | number }) => string
    notSent: (values: { name: string | number; reason: string | number }) => string
    lead: string
    none: string
    service: string
    name: string
    add: string
    save: string
    cancel: string
    test: string
    testNamed: (values: { name: string | number }) => string
    tested: (values: { name: string | number }) => string
    edit: string
    editNamed: (values: { name: string | number }) => string
    remove: string
    removeNamed: (values: { name: string | number }) => string
    unchanged: string
    optional: string
    recent: string
    states: {
      waiting: string
      sent: string
      failed: string
    }
    nextTry: (values: { when: string | number }) => string
    again: string
    againNamed: (values: { title: string | number }) => string
    discard: string
    discardNamed: (values: { title: string | number }) => string
    refresh: string
    rule: string
    ruleDestination: string
  }
  fetching: {
    title: string
    lead: string
    requests: string
    userAgent: string
    usual: string
    cookies: string
    isSet: string
    removeCookies: string
    removeHeader: (values: { name: string | number }) => string
    headerName: string
    headerValue: string
    secretHint: string
    ignoresValidators: string
    validatorsHint: string
    route: string
    proxy: string
    hasProxyLogin: string
    bridge: string
    bridgeHint: (values: { place: string | number }) => string
    acceptsInvalidCertificate: string
    certificateWarning: string
    pages: string
    content: string
    remove: string
    selectorHint: string
    preview: string
    previewText: string
    previewed: (values: { count: number; usual: string | number }) => string
    matches: (values: { content: string | number; removed: string | number }) => string
    rewrites: string
    rewriteHint: string
    part: string
    parts: {
      title: string
      link: string
    }
    find: string
    replace: string
    removeRule: string
    removeRewrite: (values: { number: string | number }) => string
    addRewrite: string
    save: string
    saved: string
  }
  account: {
    signInWith: (values: { name: string | number }) => string
    signInAgain: string
    signInAgainLead: string
    continue: string
    cancel: string
    linked: string
    linkedLead: (values: { provider: string | number }) => string
    link: (values: { provider: string | number }) => string
    unlink: string
    unlinkNamed: (values: { name: string | number }) => string
    unlinked: string
    since: (values: { date: string | number }) => string
    factor: string
    factorLead: string
    factorOn: (values: { date: string | number }) => string
    recoveryLeft: (values: { count: string | number }) => string
    addFactor: string
    secretLead: string
    openApp: string
    code: string
    codeHint: string
    activate: string
    recoveryLead: string
    removeFactor: string
    removeFactorOf: (values: { name: string | number }) => string
    confirmRemoveFactor: string
    confirmRemoveFactorOf: (values: { name: string | number }) => string
    factorRemoved: string
    password: string
    old: string
    new: string
    change: string
    passwordChanged: string
    passwordLead: string
    sessions: string
    sessionsLead: string
    current: string
    reader: string
    browserOn: (values: { browser: string | number; system: string | number }) => string
    methods: {
      password: string
      oidc: string
      passkey: string
    }
    signedIn: (values: { when: string | number }) => string
    lastUsed: (values: { when: string | number }) => string
    from: (values: { address: string | number }) => string
    end: string
    endNamed: (values: { name: string | number }) => string
    ended: string
    endOthers: string
    othersEnded: string
    passkeys: string
    passkeysLead: string
    passkeyName: string
    addPasskey: string
    passkeyAdded: string
    passkeyCancelled: string
    rename: string
    renameNamed: (values: { name: string | number }) => string
    remove: string
    removeNamed: (values: { name: string | number }) => string
    confirmRemovePasskey: (values: { name: string | number }) => string
    usePasskey: string
  }
  notifications: {
    devices: string
    devicesLead: string
    noDevices: string
    thisBrowser: string
    added: (values: { when: string | number }) => string
    lastSent: (values: { when: string | number }) => string
    failed: (values: { reason: string | number }) => string
    remove: string
    removeNamed: (values: { name: string | number }) => string
    removed: string
    turnOn: string
    turnedOn: string
    test: string
    tested: string
    denied: string
    unsupported: string
    causes: string
    causesLead: string
    showResults: string
    notify: string
    stopNotifying: string
    notifying: string
    noDevice: string
    digests: {
      title: string
      lead: string
      next: (values: { when: string | number }) => string
      sent: (values: { when: string | number }) => string
      failed: (values: { reason: string | number }) => string
      every: string
      periods: {
        never: string
        day: string
        week: string
      }
      weekday: string
      hour: string
      timeZone: string
      content: string
      morning: string
      search: (values: { name: string | number }) => string
      folder: (values: { name: string | number }) => string
      byEmail: string
      save: string
      saved: string
      preview: string
      nothingNew: string
      email: string
      address: string
      saveAddress: string
      addressHint: string
      addressRemoved: string
      linkSent: (values: { address: string | number }) => string
      confirmed: (values: { address: string | number }) => string
      unconfirmed: (values: { address: string | number }) => string
      noMailServer: string
    }
  }
}
