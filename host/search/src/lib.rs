//! Exact nearest-neighbour search over embeddings: similarities and the best documents of every query.
