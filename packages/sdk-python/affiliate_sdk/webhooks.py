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
    """Verifies a webhook request and returns its event. Raises VerificationError.

    body is the raw body, before any parser. secret is the signing secret of the endpoint (`whsec_…`). tolerance is the largest difference between
    the time of the request and this machine's clock, in seconds.
    """
    content = body.encode() if isinstance(body, str) else bytes(body)
    by_name = {name.lower(): value for name, value in headers.items()}
    try:
        delivery, timestamp, signatures = (by_name[f"hook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError:
        raise VerificationError("The headers of the signature are missing.") from None
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > tolerance:
        raise VerificationError("The request is too old, or this clock is wrong.")
    signed = f"{delivery}.{timestamp}.".encode() + content
    digest = base64.b64encode(hmac.new(secret.encode(), signed, hashlib.sha256).digest())
    # There are two signatures for a day after the secret was rotated.
    if not any(hmac.compare_digest(b"v1," + digest, each.encode()) for each in signatures.split(" ")):
        raise VerificationError("The signature does not match.")
    return json.loads(content)
