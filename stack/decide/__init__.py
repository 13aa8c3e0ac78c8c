"""A loop that lets a typed-choice model drive a page, one observed action at a time.

    port        what the loop needs of a driver: observe, act, text; and which failures only cost a decision
    driving     that port over any stack's tools, in process or behind a session's socket
    settings    bounds, pauses and floors; what a run may be told, read strictly
    schema      the same as a tool's input schema shows it
    space       what can be chosen on a page: operations, and their targets
    question    the request to the model, byte for byte
    answer      its answer, validated: a decision, or none
    model       asking over HTTP, with the retries that there are
    rules       what a decision leads to: a table
    watch       the page is looked at while the model thinks
    leg         one goal: decide, act, look, until it ends
    plan        the legs in order, the proof at the end
    transcript  one line an attempt

The model's words never become text, a selector, a coordinate or a program: it names an operation and a target out of
the lists that it was sent, and what is typed comes from the caller's literals alone.
"""

from stack.decide.plan import run
from stack.decide.settings import Model, Options, model_from, options_from

__all__ = ["Model", "Options", "model_from", "options_from", "run"]
