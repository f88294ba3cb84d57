"""A library as a collection of Qdrant, a search engine that runs on one machine or on many."""
