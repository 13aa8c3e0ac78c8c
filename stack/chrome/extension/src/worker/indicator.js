/** What the extension's button says about the tab that it stands beside: disconnected, site denied, enabled or unsupported. */

/** State -> text on the button, its colour, and the words beside the pointer. */
export const LOOKS = {
  disconnected: { text: "off", color: "#6b7280", title: "Trailcam: disconnected" },
  site_denied: { text: "ask", color: "#b45309", title: "Trailcam: this site is not allowed" },
  enabled: { text: "on", color: "#15803d", title: "Trailcam: this site can be read and used" },
  unsupported: { text: "no", color: "#991b1b", title: "Trailcam: this page can't be read" },
};

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
