/**
 * What the extension's own window may ask for. Messages of content scripts, pages and other extensions look the same and
 * are not answered: the browser says who sent them.
 */

/** What the window asks -> whether it names a tab. */
const ASKED = { state: true, lend: true, revoke: true, connect: false, disconnect: false, leave: false };

/** Whether a message is our own window's. @param {chrome.runtime.MessageSender} sender */
export function isOwnWindow(sender) {
  return sender.id === chrome.runtime.id && typeof sender.url === "string" && sender.url.split(/[?#]/)[0] === chrome.runtime.getURL("popup.html");
}

/** @param {any} message @param {chrome.runtime.MessageSender} sender @param {(answer: any) => void} reply @param {Record<string, (tabId: number) => Promise<any>>} doing */
export function answerWindow(message, sender, reply, doing) {
  if (!isOwnWindow(sender) || typeof message !== "object" || message === null) return false;
  const { ask, tab_id: tabId, ...more } = message;
  if (!Object.hasOwn(ASKED, ask) || Object.keys(more).length || (ASKED[ask] && !Number.isInteger(tabId))) return false;
  doing[ask](tabId).then((answer) => reply({ ok: true, answer }), (error) => reply({ ok: false, error: String(error) }));
  return true;
}
