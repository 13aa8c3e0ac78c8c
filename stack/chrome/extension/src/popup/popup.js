/** The extension's window: says the state of the tab beside it, and lets the user allow, revoke, connect and disconnect. */

const WORDS = {
  disconnected: "Disconnected",
  site_denied: "Connected. This site is not allowed",
  enabled: "Connected. This site can be read and used",
  unsupported: "Connected. This page can't be read",
};
const ALL = ["http://*/*", "https://*/*"];
const element = (id) => document.getElementById(id);

/** The tab beside the window; the part after # says it where the window is shown in a tab of its own. */
async function tabBeside() {
  const given = /^#tab=([0-9]+)$/.exec(location.hash);
  if (given) return Number(given[1]);
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab.id;
}

async function ask(what, tabId = undefined) {
  const answer = await chrome.runtime.sendMessage(tabId === undefined ? { ask: what } : { ask: what, tab_id: tabId });
  if (!answer?.ok) throw new Error(answer?.error ?? "no answer");
  return answer.answer;
}

let site = null;

async function refresh() {
  const now = await ask("state", await tabBeside());
  site = now.site;
  element("state").textContent = WORDS[now.state];
  element("site").textContent = now.site ?? "";
  const off = now.state === "disconnected";
  const shown = { lend: now.site && !now.allowed, allow: now.site && !now.allowed, revoke: now.site && now.allowed, connect: off, disconnect: !off };
  for (const [id, is] of Object.entries(shown)) element(id).hidden = !is;
  document.body.dataset.state = now.state;
}

/** Button -> what it does. Permissions are asked for at once: the browser wants that of a user's click. */
const DOES = {
  lend: async () => ask("lend", await tabBeside()),
  allow: () => chrome.permissions.request({ origins: [site] }),
  "allow-all": () => chrome.permissions.request({ origins: ALL }),
  revoke: async () => ask("revoke", await tabBeside()),
  connect: () => ask("connect"),
  disconnect: () => ask("disconnect"),
  leave: () => ask("leave"),
};
for (const [id, does] of Object.entries(DOES)) element(id).addEventListener("click", () => does().then(refresh));
refresh();
