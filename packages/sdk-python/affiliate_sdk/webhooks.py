"""Verifies webhook requests."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping

from .types import WebhookEvent

DEFAULT_TOLERANCE = 300


class VerificationError(Exception):
    """A webhook request that is not from the service, or is too old."""


def verify(body: bytes | str, headers: Mapping[str, str], secret: str, *, tolerance: float = DEFAULT_TOLERANCE) -> WebhookEvent:
    """Verifies a webhook request and returns its event. Raises VerificationError. The headers `hook-*` suffice, and so do those of Standard Webhooks.

    body is the raw body, before any parser. secret is the signing secret of the endpoint (`whsec_…`). tolerance is the largest difference between
    the time of the request and this machine's clock, in seconds.
    """
    content = body.encode() if isinstance(body, str) else bytes(body)
    by_name = {name.lower(): value for name, value in headers.items()}
    prefix = "hook" if "hook-signature" in by_name else "webhook"
    try:
        delivery, timestamp, signatures = (by_name[f"{prefix}-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError:
        raise VerificationError("The headers of the signature are missing.") from None
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > tolerance:
        raise VerificationError("The request is too old, or this clock is wrong.")
    expected = _signature(prefix, delivery, timestamp, content, secret)
    # There are two signatures for a day after the secret was rotated.
    if not any(hmac.compare_digest(expected.encode(), each.encode()) for each in signatures.split(" ")):
        raise VerificationError("The signature does not match.")
    return json.loads(content)


def sign(body: bytes | str, secret: str, *, delivery: str = "dlv_test", timestamp: int | None = None) -> dict[str, str]:
    """Returns the headers with which the service would send a body, for tests of a receiver."""
    content = body.encode() if isinstance(body, str) else bytes(body)
    at = str(int(time.time()) if timestamp is None else timestamp)
    headers = {"content-type": "application/json"}
    for prefix in ("hook", "webhook"):
        headers[f"{prefix}-id"] = delivery
        headers[f"{prefix}-timestamp"] = at
        headers[f"{prefix}-signature"] = _signature(prefix, delivery, at, content, secret)
    return headers


def _signature(prefix: str, delivery: str, timestamp: str, content: bytes, secret: str) -> str:
    # The key is the text of the secret for `hook-*`, and the bytes that the text encodes for `webhook-*`.
    encoded = secret.removeprefix("whsec_")
    key = secret.encode() if prefix == "hook" else base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    digest = hmac.new(key, f"{delivery}.{timestamp}.".encode() + content, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"
