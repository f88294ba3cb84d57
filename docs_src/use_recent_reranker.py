from recent_reranker import Recent

from claimscope import Claim, open_library
from claimscope.stages.decide.votes import Unjudged
from claimscope.stages.retrieve.library_bm25 import LibraryBM25

with open_library("demo") as library:
    pipeline = LibraryBM25(library, k=20) >> Recent(k=3) >> Unjudged()
    [case] = pipeline.run([Claim("Vitamin D prevents fractures")])
for candidate in case.candidates:
    print(candidate.document.meta.year, candidate.document.title)
