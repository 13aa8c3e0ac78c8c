"""Ground truth of a run. A world changes only through its own methods, and each change is a line of the world record.

- `desktop`: a Mac desktop: leases, approvals, focus, the lock screen, and what a client was shown.
- `desktop_apps`: apps, windows and elements, read strictly from the run sheet.
- `desktop_changes`: what may happen to it by itself, as a table.
- `safari`: Safari: sessions, permissions, what is done and how the record says it.
  - `safari_browsing`: tabs and documents as a browser runs them. `safari_loading`: navigations in virtual time.
  - `safari_windows`: processes, windows, tabs, documents as data. `safari_pages`: which page an URL leads to.
  - `safari_network`: requests. `safari_changes`: what may happen to it by itself, as a table.
  - `safari_events`, `safari_dictionary`: what it does at Apple Events; what the paths in them name.
  - `safari_javascript`: `do JavaScript` on the model. `safari_witness` (with page_witness.js): on a real engine.
  - `safari_webkit`: the same Safari with real WebKit behind its tabs.
  - `engine_table`, `engine_page`, `engine_reading`: definitions for an engine's server; its pages as nodes.
  - `engine_hand`, `engine_events`: what each verb does in an engine; its console and network as rows.
- `chrome`: browsers, their tabs, permissions and extension. `chrome_pages`: documents and nodes.
  - `chrome_changes`: what may happen to them by itself, as a table.
- `page`: a page's definition, read strictly, and its nodes. `page_settings`: its keys. `page_live`: a page as it is.
  - `page_effects`, `page_behaviour`: what pages do. `page_references`: which nodes their effects name.
  - `page_layout`, `page_select`, `page_url`: boxes, CSS selectors, URLs.
  - `page_content`, `page_tree`, `page_formats`: what Safari's text extraction says of a page.
  - `page_interact`, `page_diff`: the steps of page_interactions, and what they changed.
  - `page_programs`, `page_safari_mcp`: JavaScript on the model: page programs by hash, and their answers.
  - `page_jxa`, `page_jxa_look`, `page_names`: the page program of stack/safari_jxa; what it sees; accessible names.
  - `programs`: which page program a text is, by programs.json. `page_html`: a definition as HTML for a real engine.
  - `describe`: docs/fakes-safari.md from these tables.
"""
