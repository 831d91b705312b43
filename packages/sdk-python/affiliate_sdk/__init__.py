"""Client of the REST API of the affiliate program service.

    program = AffiliateProgram(url, api_key=api_key, account_id=account_id)
    affiliate = program.affiliates.create(email="ada@example.com")
    for commission in program.commissions.list(state=["due"]):
        print(commission["amount_cents"])
"""

from . import facts, types, webhooks
from ._connection import ApiError, Listing, RequestOptions
from .resources import AffiliateProgram

__all__ = ["AffiliateProgram", "ApiError", "Listing", "RequestOptions", "facts", "types", "webhooks"]
