// Whether the document has finished loading, and which document it is. Input: {}.
function ready(input) {
  "use strict";
  return JSON.stringify({
    program: "ready",
    url: location.href,
    ok: true,
    data: { state: String(document.readyState), origin: String(self.origin) },
  });
}
