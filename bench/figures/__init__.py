"""One module a figure; measure() yields tables."""
