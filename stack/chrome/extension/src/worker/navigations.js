/** What tabs do while an action runs: navigations begun and ended, documents kept, tabs opened. Listens all the time, because an event that nobody waited for yet is lost. */

export class Navigations {
  constructor() {
    /** @type {Set<{tabId: number, frameIds: number[], began: boolean, committed: any, failed: boolean, same: boolean, opened: boolean}>} */
    this.watches = new Set();
  }

  listen() {
    const events = chrome.webNavigation;
    events.onBeforeNavigate.addListener((details) => this.note(details, (watch) => { watch.began = true; }));
    events.onCommitted.addListener((details) => this.note(details, (watch) => { watch.began = true; watch.committed = details; }));
    events.onErrorOccurred.addListener((details) => this.note(details, (watch) => { watch.failed = true; }));
    events.onHistoryStateUpdated.addListener((details) => this.note(details, (watch) => { watch.same = true; }));
    events.onReferenceFragmentUpdated.addListener((details) => this.note(details, (watch) => { watch.same = true; }));
    events.onCreatedNavigationTarget.addListener((details) => {
      for (const watch of this.watches) if (watch.tabId === details.sourceTabId) watch.opened = true;
    });
  }

  note(details, mark) {
    for (const watch of this.watches) if (watch.tabId === details.tabId && watch.frameIds.includes(details.frameId)) mark(watch);
  }

  /** Watch one frame, and the top one. @param {number} tabId @param {number} frameId */
  watch(tabId, frameId) {
    const watch = { tabId, frameIds: [...new Set([frameId, 0])], began: false, committed: null, failed: false, same: false, opened: false };
    this.watches.add(watch);
    return watch;
  }

  end(watch) {
    this.watches.delete(watch);
  }
}
