"""Benchmarks: figures against a direct pipe and against peers, in one interleaved run each."""
