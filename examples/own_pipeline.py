"""How do I put a pipeline together myself, and see what each stage did?"""

from claimscope import Claim, open_library
from claimscope.stages.decide.votes import Unjudged
from claimscope.stages.retrieve.in_memory import InMemoryTfIdf
from claimscope.stages.retrieve.library_bm25 import LibraryBM25
from claimscope.stages.retrieve.ranking import ReciprocalRankFusion
from claimscope.stages.select.sentences import LexicalSelector

with open_library("demo") as library:
    search = ReciprocalRankFusion((LibraryBM25(library, k=20), InMemoryTfIdf(library, k=20)), k=5)
    pipeline = search >> LexicalSelector(n=1) >> Unjudged()
    [case] = pipeline.run([Claim("Antarctica is losing ice")])

for trace in case.trace:
    print(f"{trace.stage}: {len(trace.received)} in, {len(trace.kept)} out")
for candidate in case.candidates:
    print(candidate.document.id, round(candidate.scores["retrieve.rrf"].raw, 4))
