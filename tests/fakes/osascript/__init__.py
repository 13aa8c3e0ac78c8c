"""The fake osascript: what its scripts see, as checks that would run on the real program too, and strangers' clients.

No recording of the real program exists: the checks hold the fake to what its manual page, Apple's release notes and
reports of others say (trailcam facts: JXA).
"""
