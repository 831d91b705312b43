"""Signs facts about payments, customers and codes, and sends them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import urllib.request
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from ._connection import body_of, exchange
from .types import FactsReceipt


def send(
    url: str,
    secret: str,
    facts: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    *,
    dry_run: bool = False,
    timeout: float = 30.0,
    retries: int = 2,
) -> FactsReceipt:
    """Signs a fact, or up to 100 facts, and sends them. Raises ApiError.

    url and secret are `events_url` and `signing_secret` of the connection, as `POST /api/settings/v1/connections` with `source: facts` returns them.
    Send a fact again, with a higher `version`, whenever something changes. With dry_run, the facts are only checked.
    """
    told: dict[str, Any] = dict(facts) if isinstance(facts, Mapping) else {"facts": list(facts)}
    if dry_run:
        told["dry_run"] = True
    body = json.dumps(told).encode()
    delivery, timestamp = f"msg_{uuid.uuid4()}", str(int(time.time()))
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{delivery}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    headers = {
        "Accept": "application/json",
        "Content-Type": "application/json",
        "webhook-id": delivery,
        "webhook-timestamp": timestamp,
        "webhook-signature": "v1," + base64.b64encode(digest).decode(),
    }
    request = urllib.request.Request(url, data=body, headers=headers, method="POST")
    # The same content takes effect once, so that it may be sent again.
    return body_of(exchange(request, timeout, retries, True))
