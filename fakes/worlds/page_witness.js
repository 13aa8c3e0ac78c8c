// Runs one text in a real page as `do JavaScript` does, and tells what came of it: the kind of its value, and what the
// page saw meanwhile. A promise is not awaited, and an error is told to nobody.
// Listeners in the capturing phase of the window come before the page's own, so no page hides an event from them.
(function (text, key) {
  const seen = [];
  const nameOf = element => {
    const named = element && element.closest && element.closest('[data-node]');
    return named ? named.getAttribute('data-node') : null;
  };
  const witness = event => {
    const element = event.composedPath()[0];
    seen.push({type: event.type, tag: element.localName || '', node: nameOf(element), inputType: element.type || '',
      value: 'value' in element ? String(element.value) : element.textContent});
  };
  const types = ['click', 'input', 'change'];
  for (const type of types) window.addEventListener(type, witness, true);
  const before = window.scrollY;
  let kind = 'undefined', value = null;
  try {
    const result = (0, eval)(text);
    const promised = result !== null && typeof result === 'object' && typeof result.then === 'function';
    kind = promised ? 'promise' : result === null ? 'null' : typeof result;
    if (kind === 'string' || kind === 'boolean' || kind === 'object') value = result;
    if (kind === 'number') value = Number.isFinite(result) ? result : null;
  } catch (error) {
    kind = 'thrown';
  }
  for (const type of types) window.removeEventListener(type, witness, true);
  const nodes = {};
  const state = document[Symbol.for(key)];
  if (state && state.elements) {
    for (const [number, held] of state.elements) {
      const element = held.deref();
      const name = element && element.isConnected ? nameOf(element) : null;
      if (name) nodes[number] = name;
    }
  }
  return {kind, value, seen, nodes, scrolled: window.scrollY - before};
})
