"""The version of trailcam: one place for the distribution, tape headers and reports. Separate, so that light modules
can import it, and so that the build reads it without importing anything."""

VERSION = "0.1.0"
