"""Real browser engines behind our fronts: what a page is, does and shows is then WebKit's word and not our model's.

`webkit` is the engine: one WebKitGTK browser (WebKitWebDriver, MiniBrowser) on a virtual screen, with windows, pages,
dialogs and pictures. Around it, from the outside in:

- `keeper` is the process that starts and ends what the engine needs, by process tree; nothing survives it. `processes`
  is this side of it, and knows the virtual screen that all browsers of a process share;
- `webdriver` speaks W3C WebDriver over HTTP; `frames` and `inspector` speak WebKit's remote inspector, which has what
  WebDriver lacks: console, network, bodies, pictures of whole pages, emulated media;
- `pages` is the only network that the browser has: a proxy on loopback that answers for the pages of a world, by their
  real addresses, and refuses every other host;
- `walker.js` reads a page in the way of Safari's text extraction, and `walker` runs it; `gestures` turns clicks, keys
  and scrolls into WebDriver actions.

- `javascript` is the seam of the JavaScript engines that run osascript's scripts: `javascript_quickjs` (a wheel) and
  `javascript_core` (the system's library, by ctypes).

Standard library only. Worlds over an engine are in `fakes.worlds`.
"""
