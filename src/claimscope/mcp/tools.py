"""The five tools: each reads the library and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import cleandoc
from typing import Annotated, Any, TypeVar

from anyio import CapacityLimiter, from_thread, to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import Field, ValidationError

from claimscope.audit import Options, audit
from claimscope.audit.pasted import LONGEST, read_pasted
from claimscope.checker import Checker
from claimscope.claims.reading import LONGEST_CLAIM, read_claim
from claimscope.errors import ClaimscopeError
from claimscope.library.filters import Filter
from claimscope.library.protocol import ManagedLibrary
from claimscope.mcp import answers, shaping
from claimscope.types import Case

Result = TypeVar("Result")
_LONGEST_NAME = 500

Claim = Annotated[
    str, Field(max_length=LONGEST_CLAIM, description="One statement, such as 'Aspirin thins blood'")
]
PaperName = Annotated[
    str,
    Field(max_length=_LONGEST_NAME, description="Id, DOI, PMID, URL or title of a library's paper"),
]
Year = Annotated[int | None, Field(ge=0, le=9999)]


class Tools:
    """What assistants may ask of a library."""

    def __init__(self, library: ManagedLibrary, checker: Checker) -> None:
        self._library, self._checker = library, checker
        # A model uses every core for one claim, and not every model may run in two threads.
        self._models = CapacityLimiter(1)

    def all(self) -> list[Tool]:
        """Give the tools as the server registers them."""
        return [
            _tool(self.check_claim, "Check a claim"),
            _tool(self.search_library, "Search the library"),
            _tool(self.why_not, "Why a paper counts or not"),
            _tool(self.get_document, "Read a paper"),
            _tool(self.audit_text, "Audit citations"),
        ]

    async def check_claim(
        self,
        claim: Claim,
        context: Context,
        papers: Annotated[int, Field(ge=1, le=20, description="Most papers to list")] = 5,
    ) -> answers.CheckedClaim:
        """Check one scientific claim against the user's library of papers.

        Gives a verdict with its reason, and verbatim sentences of the papers it rests on. Cite the
        papers by title and quote the sentences; without evidence, say that the library has none.
        """
        stages = len(self._checker.pipeline.stages)
        tell = _teller(context)
        done = 0

        def on_stage(stage: str, _: Sequence[Case]) -> None:
            nonlocal done
            done += 1
            tell(done, stages, stage)

        def work() -> Case:
            [case] = self._checker.check_many([read_claim(claim)], on_stage)
            return case

        return shaping.checked_claim(await _run(work, self._models), papers)

    async def search_library(
        self,
        query: Annotated[str, Field(max_length=LONGEST_CLAIM, description="Words to look for")],
        limit: Annotated[int, Field(ge=1, le=50)] = 10,
        from_year: Year = None,
        to_year: Year = None,
    ) -> answers.FoundPapers:
        """Find papers of the library by words, without judging them."""

        def work() -> answers.FoundPapers:
            where = Filter(from_year, to_year)
            [hits] = self._library.search([read_claim(query).text], limit, where)
            known = self._library.present([hit.document_id for hit in hits])
            found = [(hit, known[hit.document_id]) for hit in hits if hit.document_id in known]
            return shaping.found_papers(query, found, len(self._library))

        return await _run(work)

    async def why_not(self, claim: Claim, paper: PaperName) -> answers.WhyNot:
        """Say why a paper does or does not count for a claim: at which stage it was dropped."""

        def work() -> answers.WhyNot:
            document = self._library.find(paper)
            return shaping.why_not(self._checker.why(claim, document.id), document)

        return await _run(work, self._models)

    async def get_document(
        self,
        paper: PaperName,
        full_text: Annotated[
            bool, Field(description="Also the full text, if there is one")
        ] = False,
        offset: Annotated[int, Field(ge=0, description="The next_offset of the last answer")] = 0,
    ) -> answers.PaperText:
        """Read the metadata and the abstract of a paper, a piece of at most 6,000 characters."""

        def work() -> answers.PaperText:
            document = self._library.find(paper)
            return shaping.paper_text(document, full_text, offset)

        return await _run(work)

    async def audit_text(
        self,
        text: Annotated[
            str, Field(max_length=LONGEST, description="Markdown with citations, or plain text")
        ],
        context: Context,
        references: Annotated[
            str, Field(max_length=LONGEST, description="BibTeX of the works that it cites")
        ] = "",
        findings: Annotated[int, Field(ge=1, le=100, description="Most findings to list")] = 20,
    ) -> answers.AuditedText:
        """Check each citation of a text against the cited paper in the library.

        Also names retracted papers, changed quotations, and claims that cite nothing but about
        which the library has papers.
        """
        tell = _teller(context)
        options = Options(on_progress=lambda done, total: tell(done, total, "citations read"))

        def work() -> answers.AuditedText:
            read, given = read_pasted(text, references)
            found = audit(read, self._library, self._checker, given, options=options)
            return shaping.audited_text(found, findings)

        return await _run(work, self._models)


class _Tool(Tool):
    """A tool that says in one sentence what is wrong with its arguments."""

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:
        """Run it; of errors in the arguments only their words are kept, without addresses."""
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            wrong = "; ".join(
                f"{'.'.join(map(str, each['loc']))}: {each['msg']}"
                for each in error.__cause__.errors(include_url=False)
            )
            names = ", ".join(self.parameters["properties"])
            raise ToolError(f"{self.name} got {wrong}. Its arguments are: {names}.") from error


def _tool(function: Callable[..., object], title: str) -> Tool:
    """Describe a tool; arguments that it does not know are refused, not passed over."""
    reading = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    tool = _Tool.from_function(
        function,
        title=title,
        description=cleandoc(function.__doc__ or ""),
        annotations=reading,
        structured_output=True,
    )
    arguments = tool.fn_metadata.arg_model
    arguments.model_config["extra"] = "forbid"
    arguments.model_rebuild(force=True)
    tool.parameters = arguments.model_json_schema(by_alias=True)
    return tool


async def _run(work: Callable[[], Result], limiter: CapacityLimiter | None = None) -> Result:
    """Work in a thread; an error made for people reaches the assistant as its sentence."""
    try:
        return await to_thread.run_sync(work, limiter=limiter)
    except ClaimscopeError as error:
        raise ToolError(str(error)) from error


def _teller(context: Context) -> Callable[[int, int, str], None]:
    """Give what tells the client of progress, and stops the work of a call it has cancelled."""

    def tell(done: int, total: int, words: str) -> None:
        from_thread.check_cancelled()
        from_thread.run(context.report_progress, done, total, words)

    return tell
