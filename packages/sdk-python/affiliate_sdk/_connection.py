"""Sends requests: retries, time limits, errors and pages."""

from __future__ import annotations

import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any, BinaryIO, Generic, TypeVar

Item = TypeVar("Item")
Page = TypeVar("Page")


class Unset:
    """The type of arguments that are left out. `None` is different: it clears a field."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()


@dataclass(frozen=True)
class RequestOptions:
    """Options of one request.

    idempotency_key makes a write take effect once, however often it is sent. By default, each write has a new key, which its retries share.
    timeout is the time for one attempt in seconds, in place of the client's.
    """

    idempotency_key: str | None = None
    timeout: float | None = None


class ApiError(Exception):
    """A failed request.

    `code`, `details` and the message come from the error envelope. If `code` is None, there was no answer from the service, and it is unknown
    whether a write took effect: repeat it with the same idempotency key.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        status: int | None = None,
        details: Any = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.details = details
        self.request_id = request_id


class Listing(Generic[Item, Page]):
    """A list. Iterate over all records, or get one page with `page()`."""

    def __init__(self, load: Callable[[Mapping[str, Any]], Any], query: Mapping[str, Any]) -> None:
        self._load = load
        self._size: Mapping[str, Any] = {} if "limit" in query else {"limit": 100}

    def page(self) -> Page:
        """Returns the page that the arguments ask for."""
        return self._load({})

    def __iter__(self) -> Iterator[Item]:
        page = self._load(self._size)
        while True:
            yield from page["data"]
            cursor = page.get("pagination", {}).get("next_cursor")
            if cursor is None:
                return
            page = self._load({**self._size, "starting_after": cursor})


# The longest time, in seconds, that a request waits because of `Retry-After`. The caller gets the error of a longer one.
_MAX_WAIT = 60.0
_PASSING_STATUSES = (408, 429, 500, 502, 503, 504)


@dataclass(frozen=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    text: str


class Connection:
    """Sends requests as one caller for one account."""

    def __init__(
        self, url: str, *, api_key: str, account_id: str, livemode: bool | None, timeout: float, retries: int
    ) -> None:
        self._url = url.rstrip("/")
        self._timeout = timeout
        self._retries = retries
        self._headers = {
            "Authorization": f"Bearer {api_key}",
            "X-Account-Id": account_id,
            "Accept": "application/json",
        }
        if livemode is not None:
            self._headers["X-Livemode"] = "true" if livemode else "false"

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        file: bytes | BinaryIO | None = None,
        options: RequestOptions | None = None,
    ) -> Any:
        """Sends a request, whose body is JSON or a file. Returns the body of the response. Raises ApiError."""
        options = options or RequestOptions()
        headers = dict(self._headers)
        data: bytes | BinaryIO | None = None
        key = options.idempotency_key
        # The fields of a DELETE are in its query.
        if file is not None:
            data = file
            headers["Content-Type"] = "application/octet-stream"
        elif method in ("POST", "PATCH", "PUT"):
            data = json.dumps(given(body or {})).encode()
            headers["Content-Type"] = "application/json"
        if method != "GET":
            if key is None and self._retries > 0:
                key = str(uuid.uuid4())
            if key is not None:
                headers["Idempotency-Key"] = key
        request = urllib.request.Request(
            self._url + path + _query_text(given(query or {})), data=data, headers=headers, method=method
        )
        is_repeatable = key is not None or method in ("GET", "PUT", "DELETE")
        return body_of(exchange(request, options.timeout or self._timeout, self._retries, is_repeatable))

    def list(self, path: str, query: Mapping[str, Any], options: RequestOptions | None = None) -> Listing[Any, Any]:
        """Returns a list, which requests its pages when they are needed."""
        given_query = given(query)
        return Listing(
            lambda position: self.send("GET", path, query={**given_query, **position}, options=options), given_query
        )


def exchange(request: urllib.request.Request, timeout: float, retries: int, is_repeatable: bool) -> _Answer:
    """Sends a request until its answer is final. Every attempt carries the same headers."""
    attempt = 0
    data = request.data
    start = None if data is None or isinstance(data, bytes) else data.tell()
    while True:
        is_last = attempt >= retries
        try:
            if start is not None:
                data.seek(start)
            answer = _attempt(request, timeout)
        except (OSError, HTTPException) as error:
            if is_last or not is_repeatable:
                raise ApiError(str(error) or type(error).__name__) from error
            wait: float | None = _backoff(attempt)
        else:
            wait = None if is_last else _wait_after(answer, attempt, is_repeatable)
            if wait is None:
                return answer
        time.sleep(wait)
        attempt += 1


def body_of(answer: _Answer) -> Any:
    """Returns the body of an answer. Raises ApiError."""
    if answer.status >= 400:
        raise _refusal(answer)
    return json.loads(answer.text) if answer.text else None


def _attempt(request: urllib.request.Request, timeout: float) -> _Answer:
    """Sends a request and reads the whole response."""
    try:
        with urllib.request.urlopen(request, timeout=timeout) as response:
            return _Answer(response.status, response.headers, response.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return _Answer(error.code, error.headers, error.read().decode())


def _wait_after(answer: _Answer, attempt: int, is_repeatable: bool) -> float | None:
    """Returns how many seconds to wait before the request is sent again, or None if the answer is final."""
    is_pending = answer.status == 409 and '"OPERATION_PENDING"' in answer.text
    is_passing = answer.status == 429 or (is_repeatable and (answer.status in _PASSING_STATUSES or is_pending))
    if not is_passing:
        return None
    wait = _retry_after(answer)
    if wait is None:
        wait = _backoff(attempt)
    return wait if wait <= _MAX_WAIT else None


def _retry_after(answer: _Answer) -> float | None:
    value = (answer.headers.get("Retry-After") or "").strip()
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def _backoff(attempt: int) -> float:
    """Returns 0.25 to 0.5 s before the first repetition, and twice as much before each further one, at most 8 s."""
    return min(0.5 * 2**attempt, 8.0) * random.uniform(0.5, 1.0)


def _refusal(answer: _Answer) -> ApiError:
    request_id = answer.headers.get("X-Request-Id")
    try:
        envelope = json.loads(answer.text)
        message, code = envelope["error"], envelope["code"]
    except (ValueError, KeyError, TypeError):
        # A proxy may answer in place of the service.
        return ApiError(f"HTTP {answer.status}", status=answer.status, request_id=request_id)
    return ApiError(message, code=code, status=answer.status, details=envelope.get("details"), request_id=request_id)


def given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields that were passed."""
    return {name: value for name, value in fields.items() if value is not UNSET}


def quote(identifier: str) -> str:
    """Encodes an id for a path. Raises ValueError for an id that would lead to another path."""
    if identifier in ("", ".", ".."):
        raise ValueError(f"This is not an id: {identifier!r}. An id is text, e.g. aff_… or external:partner-17.")
    return urllib.parse.quote(identifier, safe="")


def _query_text(query: Mapping[str, Any]) -> str:
    pairs = [
        (name, _text(each))
        for name, value in query.items()
        for each in (value if isinstance(value, (list, tuple)) else [value])
        if each is not None
    ]
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
