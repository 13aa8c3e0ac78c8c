"""Tests of the real engines behind our fronts, and of what starts, feeds and reads them."""
