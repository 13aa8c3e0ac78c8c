"""Reports: views of evidence, without a verdict of their own.

- `plain`: text from outside made harmless and short.
- `sequence`: the frames of one run as rows, and the rows as SVG.
- `transcript`: what a decision loop says that it did, out of the answers of a run.
- `buttons`: the browser extension's button in each of its states, as SVG, from the extension's own table.
- `page`: what a report says, computed from the material (harness.evidence.material): the view model.
- `people`: the checks that need a person or another platform.
- `markdown`, `junit`, `document`: the page as Markdown, JUnit XML and JSON.
- `render`: the page as HTML (the only module that knows jinja2), and `write`, which writes all four.
- `release`: what the report of a release says; `release_evidence`: its committed evidence, collected and read back;
  `release_render`: its forms, written from that evidence alone.

Everything here is a function of its arguments: the same evidence gives the same bytes.
"""
