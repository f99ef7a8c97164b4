"""Client for Clew, a graph service over workspace pages.

One file, Python 3.9 or newer, no dependencies: copy it beside your program.

    import os
    from clew import Clew

    clew = Clew("https://clew.example", os.environ["CLEW_TOKEN"])
    for item in clew.iterate("search_pages", q="moon"):
        print(item["node"]["title"])

Methods have the names of the operations in the OpenAPI document (/api/v1/openapi.json) in snake_case, and take their
parameters by name. Answers are the API's JSON as dictionaries. A parameter that is a Python word has an underscore
behind it (`from_`). Errors are a `ResponseError`, a `ConnectionFailed` or an `IncompleteExport`.
"""

from __future__ import annotations

import email.utils
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from http.client import HTTPException
from typing import Any, Callable, Dict, Iterable, Iterator, Optional, Union

__all__ = ["Clew", "ClewError", "ConnectionFailed", "IncompleteExport", "ResponseError"]

_TRANSIENT = frozenset({429, 502, 503, 504})
# Seconds before the first repetition, on average.
_FIRST_WAIT = 0.5
_CHUNK = 64 * 1024

# Parameters that are repeated for each of several values; written by `npm run docs`.
# <repeated>
_REPEATED = frozenset({"column", "where"})
# </repeated>


class ClewError(Exception):
    """Why a call failed: one of the classes below."""


class ResponseError(ClewError):
    """Clew refused a request, or something between here and Clew did."""

    def __init__(self, request: str, status: int, problem: Optional[Dict[str, Any]], retry_after: Optional[float]):
        detail = "" if problem is None else f": {problem.get('detail')}"
        super().__init__(f"{request} failed with status {status}{detail}")
        self.status = status
        #: The problem document (RFC 9457); None if the response has none.
        self.problem = problem
        #: The code from Clew's closed list; None if the response has none.
        self.code: Optional[str] = None if problem is None else problem.get("code")
        #: Seconds after which the request may be repeated; None if the response does not say.
        self.retry_after = retry_after


class ConnectionFailed(ClewError):
    """No whole response arrived."""


class IncompleteExport(ClewError):
    """An export ended before its last line: what was read of it is not the whole graph."""


#: A name or address of the machine itself.
_LOOPBACK = re.compile(r"(?:[^.]+\.)*localhost|127(?:\.\d+){3}|::1")


def _is_confidential(url: str) -> bool:
    """Whether nobody on the way can read what is sent to this address (RFC 6750, section 5.3)."""
    parts = urllib.parse.urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and _LOOPBACK.fullmatch(parts.hostname or "") is not None)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Clew:
    """Reads a Clew with a service token (`svc_…`).

    Reads that were limited (429), found no service (502, 503, 504) or got no whole response are repeated up to `retries`
    times. They wait as long as `Retry-After` says, or about half a second, one, two and so on, but never longer than
    `max_wait` seconds.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        timeout: float = 60,
        retries: int = 3,
        max_wait: float = 60,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.time,
        spread: Callable[[], float] = random.random,
    ):
        if not _is_confidential(url):
            raise ValueError("url must begin with https:// unless Clew is on this machine: others could read the token")
        self._base = f"{url.rstrip('/')}/api/v1/"
        self._token = token
        self._timeout = timeout
        self._retries = retries
        self._max_wait = max_wait
        self._sleep = sleep
        self._now = now
        self._spread = spread
        self._opener = urllib.request.build_opener(_NoRedirect)

    def __repr__(self) -> str:
        return f"Clew({self._base!r})"

    # The operations of the OpenAPI document, written by `npm run docs`.
    # <methods>
    def get_overview(self) -> Dict[str, Any]:
        """What the caller may read, and how."""
        return self._get(
            "get_overview",
            "",
            {},
        )

    def list_workspaces(self) -> Dict[str, Any]:
        """List the readable workspaces, with their size and freshness."""
        return self._get(
            "list_workspaces",
            "workspaces/",
            {},
        )

    def search_pages(
        self,
        *,
        q: Optional[str] = None,
        workspace_id: Optional[str] = None,
        type: Optional[str] = None,
        under: Optional[str] = None,
        updated_after: Optional[str] = None,
        updated_before: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        by: Optional[str] = None,
        is_: Optional[Union[str, Iterable[str]]] = None,
        sort: Optional[str] = None,
        order: Optional[str] = None,
        breadcrumb: Optional[bool] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Search pages and databases by title, or list them."""
        return self._get(
            "search_pages",
            "search/",
            {
                "q": q,
                "workspace_id": workspace_id,
                "type": type,
                "under": under,
                "updated_after": updated_after,
                "updated_before": updated_before,
                "created_after": created_after,
                "created_before": created_before,
                "by": by,
                "is": is_,
                "sort": sort,
                "order": order,
                "breadcrumb": breadcrumb,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def resolve_page(
        self,
        *,
        page: str,
    ) -> Dict[str, Any]:
        """Find the page or database that a text names."""
        return self._get(
            "resolve_page",
            "resolve/",
            {
                "page": page,
            },
        )

    def search_texts(
        self,
        *,
        q: str,
        workspace_id: Optional[str] = None,
        type: Optional[str] = None,
        under: Optional[str] = None,
        updated_after: Optional[str] = None,
        updated_before: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        by: Optional[str] = None,
        is_: Optional[Union[str, Iterable[str]]] = None,
        sort: Optional[str] = None,
        order: Optional[str] = None,
        breadcrumb: Optional[bool] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Search the texts of pages, with titles and properties."""
        return self._get(
            "search_texts",
            "text/",
            {
                "q": q,
                "workspace_id": workspace_id,
                "type": type,
                "under": under,
                "updated_after": updated_after,
                "updated_before": updated_before,
                "created_after": created_after,
                "created_before": created_before,
                "by": by,
                "is": is_,
                "sort": sort,
                "order": order,
                "breadcrumb": breadcrumb,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def build_context(
        self,
        *,
        q: Optional[str] = None,
        also: Optional[str] = None,
        id: Optional[str] = None,
        workspace_id: Optional[str] = None,
        max_chars: Optional[int] = None,
        max_tokens: Optional[int] = None,
    ) -> Dict[str, Any]:
        """Gather the passages of linked pages that answer a question."""
        return self._get(
            "build_context",
            "context/",
            {
                "q": q,
                "also": also,
                "id": id,
                "workspace_id": workspace_id,
                "max_chars": max_chars,
                "max_tokens": max_tokens,
            },
        )

    def get_pages(
        self,
        *,
        ids: Union[str, Iterable[str]],
    ) -> Dict[str, Any]:
        """Get several pages or databases by id."""
        return self._get(
            "get_pages",
            "nodes/",
            {
                "ids": ids,
            },
        )

    def get_page(
        self,
        *,
        id: str,
    ) -> Dict[str, Any]:
        """Get one page or database in detail."""
        return self._get(
            "get_page",
            f'nodes/{_segment("id", id)}/',
            {},
        )

    def get_page_content(
        self,
        *,
        id: str,
        offset: Optional[int] = None,
        max_chars: Optional[int] = None,
        heading: Optional[str] = None,
        include: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Get the text of a page as Markdown."""
        return self._get(
            "get_page_content",
            f'nodes/{_segment("id", id)}/content/',
            {
                "offset": offset,
                "max_chars": max_chars,
                "heading": heading,
                "include": include,
            },
        )

    def list_rows(
        self,
        *,
        id: str,
        where: Optional[Union[str, Iterable[str]]] = None,
        column: Optional[Union[str, Iterable[str]]] = None,
        sort: Optional[str] = None,
        order: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Dict[str, Any]:
        """List the rows of a database: filtered, sorted, with their properties.

        As JSON, or as a table with `Accept: text/csv` or `Accept: text/markdown`: the id of each row, then its columns.

        Example: `?where=Status = Open&where=Due < %2B7d&column=Name&sort=Due`

        CSV follows RFC 4180. A text that a spreadsheet would run as a formula (it begins with `=`, `+`, `-`, `@`, a tab or a line break, possibly after apostrophes) has an apostrophe in front: take it off to have the text."""
        return self._get(
            "list_rows",
            f'nodes/{_segment("id", id)}/rows/',
            {
                "where": where,
                "column": column,
                "sort": sort,
                "order": order,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_neighbors(
        self,
        *,
        id: str,
        direction: Optional[str] = None,
        edge_type: Optional[Union[str, Iterable[str]]] = None,
        node_type: Optional[Union[str, Iterable[str]]] = None,
        depth: Optional[int] = None,
        excerpts: Optional[bool] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Dict[str, Any]:
        """List the neighbours of a page or database, nearest first."""
        return self._get(
            "list_neighbors",
            f'nodes/{_segment("id", id)}/neighbors/',
            {
                "direction": direction,
                "edge_type": edge_type,
                "node_type": node_type,
                "depth": depth,
                "excerpts": excerpts,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_edges(
        self,
        *,
        ids: Union[str, Iterable[str]],
        edge_type: Optional[Union[str, Iterable[str]]] = None,
    ) -> Dict[str, Any]:
        """List the edges among several pages and databases."""
        return self._get(
            "list_edges",
            "edges/",
            {
                "ids": ids,
                "edge_type": edge_type,
            },
        )

    def find_paths(
        self,
        *,
        from_: str,
        to: str,
        direction: Optional[str] = None,
        edge_type: Optional[Union[str, Iterable[str]]] = None,
        max_depth: Optional[int] = None,
        max_paths: Optional[int] = None,
        avoid: Optional[str] = None,
        excerpts: Optional[bool] = None,
    ) -> Dict[str, Any]:
        """Find the shortest paths between two pages or databases."""
        return self._get(
            "find_paths",
            "paths/",
            {
                "from": from_,
                "to": to,
                "direction": direction,
                "edge_type": edge_type,
                "max_depth": max_depth,
                "max_paths": max_paths,
                "avoid": avoid,
                "excerpts": excerpts,
            },
        )

    def get_related(
        self,
        *,
        id: str,
        linked: Optional[bool] = None,
        limit: Optional[int] = None,
    ) -> Dict[str, Any]:
        """List what shares links with a page or database, best first."""
        return self._get(
            "get_related",
            f'nodes/{_segment("id", id)}/related/',
            {
                "linked": linked,
                "limit": limit,
            },
        )

    def list_tree(
        self,
        *,
        workspace_id: Optional[str] = None,
        under: Optional[str] = None,
        depth: Optional[int] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Dict[str, Any]:
        """List the tree of pages and databases."""
        return self._get(
            "list_tree",
            "tree/",
            {
                "workspace_id": workspace_id,
                "under": under,
                "depth": depth,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_map_pages(
        self,
        *,
        id: str,
        from_: Optional[int] = None,
        count: Optional[int] = None,
        ids: Optional[str] = None,
        positions: Optional[str] = None,
    ) -> Dict[str, Any]:
        """List the ids and titles of pages on the map of a workspace, by position or by id."""
        return self._get(
            "list_map_pages",
            f'workspaces/{_segment("id", id)}/map/nodes/',
            {
                "from": from_,
                "count": count,
                "ids": ids,
                "positions": positions,
            },
        )

    def list_broken_links(
        self,
        *,
        workspace_id: Optional[str] = None,
        under: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Dict[str, Any]:
        """List the links to pages that are not shared or do not exist."""
        return self._get(
            "list_broken_links",
            "broken/",
            {
                "workspace_id": workspace_id,
                "under": under,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def list_changes(
        self,
        *,
        workspace_id: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        wait: Optional[int] = None,
    ) -> Dict[str, Any]:
        """List what was added, changed or removed since a cursor."""
        return self._get(
            "list_changes",
            "changes/",
            {
                "workspace_id": workspace_id,
                "limit": limit,
                "cursor": cursor,
                "wait": wait,
            },
        )

    def list_recent_changes(
        self,
        *,
        since: Optional[str] = None,
        workspace_id: Optional[str] = None,
        type: Optional[str] = None,
        under: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Dict[str, Any]:
        """List what was added, edited or removed lately, newest first."""
        return self._get(
            "list_recent_changes",
            "recent/",
            {
                "since": since,
                "workspace_id": workspace_id,
                "type": type,
                "under": under,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def get_presented_token(self) -> Dict[str, Any]:
        """Describe the presented service token."""
        return self._get(
            "get_presented_token",
            "token/",
            {},
        )
    # </methods>

    def iterate(self, operation: str, **parameters: Any) -> Iterator[Dict[str, Any]]:
        """All items of a list, asked for as they are needed: `clew.iterate("list_neighbors", id="…")`."""
        method = getattr(self, operation)
        while True:
            page = method(**parameters)
            yield from page["items"]
            # Where there is `more`, the last page has a cursor too, for later.
            if page["next_cursor"] is None or page.get("more") is False:
                return
            parameters["cursor"] = page["next_cursor"]

    def export_graph(
        self,
        *,
        part: Optional[str] = None,
        workspace_id: Optional[str] = None,
        text: Optional[bool] = None,
    ) -> Iterator[Dict[str, Any]]:
        """The nodes, edges and, if wanted, texts of the whole graph.

        Each item is `{"node": …}`, `{"edge": …}`, `{"text": …}` or `{"broken": …}`. Raises `IncompleteExport` if the export is not whole.
        """
        parameters = {"format": "jsonl", "part": part, "workspace_id": workspace_id, "text": text}
        counts = {"nodes": 0, "edges": 0, "broken": 0}
        ended = False
        with self._open("export_graph", "export/", parameters) as response:
            for line in self._lines("export_graph", response):
                if ended:
                    raise IncompleteExport("export_graph has lines after its end")
                item = json.loads(line)
                if "end" in item:
                    if {**item["end"], "broken": item["end"].get("broken", 0)} != counts:
                        raise IncompleteExport("export_graph lacks items that its end counts")
                    ended = True
                    continue
                counts["nodes"] += "node" in item
                counts["edges"] += "edge" in item
                counts["broken"] += "broken" in item
                yield item
        if not ended:
            raise IncompleteExport("export_graph ended before its last line")

    def export_file(
        self,
        file: Any,
        *,
        format: str,
        part: Optional[str] = None,
        workspace_id: Optional[str] = None,
    ) -> None:
        """Writes an export as `csv` or `graphml` into a binary file. If this raises, the file is not whole."""
        if format not in ("csv", "graphml"):
            raise ValueError("format must be csv or graphml; export_graph reads JSON lines")
        parameters = {"format": format, "part": part, "workspace_id": workspace_id}
        with self._open("export_file", "export/", parameters) as response:
            while True:
                try:
                    chunk = response.read(_CHUNK)
                except (OSError, HTTPException) as error:
                    raise ConnectionFailed(f"export_file broke off: {error}") from error
                if not chunk:
                    return
                file.write(chunk)

    def get_map(self, *, id: str) -> bytes:
        """Get the map of a whole workspace, in the binary format that the API's documentation describes."""

        def read() -> bytes:
            with self._send("get_map", f'workspaces/{_segment("id", id)}/map/', {}) as response:
                try:
                    return response.read()
                except (OSError, HTTPException) as error:
                    raise ConnectionFailed(f"get_map got no whole response: {error}") from error

        return self._retry(read)

    def _get(self, name: str, path: str, parameters: Dict[str, Any]) -> Dict[str, Any]:
        def read() -> Dict[str, Any]:
            with self._send(name, path, parameters) as response:
                try:
                    return json.loads(response.read())
                except (OSError, HTTPException, ValueError) as error:
                    raise ConnectionFailed(f"{name} got no whole response: {error}") from error

        return self._retry(read)

    def _open(self, name: str, path: str, parameters: Dict[str, Any]) -> Any:
        return self._retry(lambda: self._send(name, path, parameters))

    def _retry(self, attempt: Callable[[], Any]) -> Any:
        for attempts in range(self._retries + 1):
            try:
                return attempt()
            except ClewError as error:
                # Clients that failed together do not come back together.
                wait = _FIRST_WAIT * 2**attempts * (0.5 + self._spread())
                if isinstance(error, ResponseError):
                    if error.status not in _TRANSIENT:
                        raise
                    wait = wait if error.retry_after is None else error.retry_after
                    if wait > self._max_wait:
                        raise
                if attempts == self._retries:
                    raise
                self._sleep(min(wait, self._max_wait))
        raise AssertionError("the last attempt returns or raises")

    def _send(self, name: str, path: str, parameters: Dict[str, Any]) -> Any:
        pairs = []
        for key, value in parameters.items():
            if value is None:
                continue
            if isinstance(value, bool):
                value = "true" if value else "false"
            elif key in _REPEATED and not isinstance(value, str):
                pairs.extend((key, str(each)) for each in value)
                continue
            elif isinstance(value, (list, tuple, set, frozenset)):
                value = ",".join(str(each) for each in value)
            pairs.append((key, str(value)))
        query = urllib.parse.urlencode(pairs)
        request = urllib.request.Request(
            f"{self._base}{path}{'?' if query else ''}{query}",
            headers={"Authorization": f"Bearer {self._token}", "Accept": "*/*"},
        )
        try:
            return self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            with error:
                raise ResponseError(name, error.code, _problem(error), self._retry_after(error)) from None
        except (OSError, HTTPException) as error:
            raise ConnectionFailed(f"{name} got no response: {getattr(error, 'reason', error)}") from error

    def _retry_after(self, error: urllib.error.HTTPError) -> Optional[float]:
        value = error.headers.get("Retry-After", "").strip()
        if value.isascii() and value.isdigit():
            return float(value[:9])
        try:
            return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - self._now())
        except (TypeError, ValueError, IndexError):
            return None

    def _lines(self, name: str, response: Any) -> Iterator[bytes]:
        while True:
            try:
                line = response.readline()
            except (OSError, HTTPException) as error:
                raise ConnectionFailed(f"{name} broke off: {error}") from error
            if not line.endswith(b"\n"):
                return
            yield line


def _problem(error: urllib.error.HTTPError) -> Optional[Dict[str, Any]]:
    try:
        body = json.loads(error.read())
    except (OSError, HTTPException, ValueError):
        return None
    return body if isinstance(body, dict) and "code" in body and "request_id" in body else None


def _segment(name: str, value: Any) -> str:
    # A path without its id would be another operation.
    if str(value) == "":
        raise ValueError(f"{name} must not be empty")
    return urllib.parse.quote(str(value), safe="")
