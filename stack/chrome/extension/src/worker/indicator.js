/** What the extension's button says about the tab that it stands beside: disconnected, site denied, enabled or unsupported. */

/** State -> text on the button, its colour, and the words beside the pointer; reports draw the same table. */
import LOOKS from "../../../looks.json";

/** @param {boolean} open @param {{state: string}} page */
export function stateOf(open, page) {
  return open ? page.state : "disconnected";
}

/** @param {number} tabId @param {keyof typeof LOOKS} state */
export async function show(tabId, state) {
  const look = LOOKS[state];
  const gone = () => undefined; // the tab closed meanwhile
  await Promise.all([
    chrome.action.setBadgeText({ tabId, text: look.text }).catch(gone),
    chrome.action.setBadgeBackgroundColor({ tabId, color: look.color }).catch(gone),
    chrome.action.setTitle({ tabId, title: look.title }).catch(gone),
  ]);
}
