# Generated from the contract by `pnpm generate`. Do not edit.
"""The operations of the service."""

from __future__ import annotations

from typing import Any, BinaryIO, Dict, List, Literal, Sequence

from ._connection import UNSET, Connection, Listing, RequestOptions, Unset, quote
from .types import *  # noqa: F403


class _Resource:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection


class AffiliateCouponsResource(_Resource):
    """One coupon code per affiliate (legacy). New integrations should use promo codes."""

    def get(
        self,
        affiliate_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> AffiliateCoupon:
        """Retrieve an affiliate’s coupon."""
        return self._connection.send("GET", f"/api/v1/affiliates/{quote(affiliate_id)}/coupon", options=options)

    def create(
        self,
        affiliate_id: str,
        *,
        code: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> AffiliateCoupon:
        """Create an affiliate’s coupon.

        Creates a promotion code in Stripe for the campaign’s `psp_coupon_id`. If the response is
        `OPERATION_PENDING`, repeat the same request.

        Args:
            code: Code that customers enter at checkout. Defaults to one generated from the affiliate’s name.
        """
        return self._connection.send("POST", f"/api/v1/affiliates/{quote(affiliate_id)}/coupon", body={"code": code}, options=options)

    def update(
        self,
        affiliate_id: str,
        *,
        code: str | Unset = UNSET,
        active: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> AffiliateCoupon:
        """Update an affiliate’s coupon.

        Replaces the code, or activates or deactivates it in Stripe.

        Args:
            code: New code. Creates it in Stripe and deactivates the previous one.
            active: Activates or deactivates the code in Stripe.
        """
        return self._connection.send("PATCH", f"/api/v1/affiliates/{quote(affiliate_id)}/coupon", body={"code": code, "active": active}, options=options)

    def delete(
        self,
        affiliate_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete an affiliate’s coupon.

        Deactivates the code in Stripe and stops tracking it. Sales already attributed to it are not affected.
        """
        return self._connection.send("DELETE", f"/api/v1/affiliates/{quote(affiliate_id)}/coupon", options=options)

    def sync(
        self,
        affiliate_id: str,
        *,
        force: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> AffiliateCoupon:
        """Sync an affiliate’s coupon.

        Refreshes the coupon from Stripe. With `force`, recreates the code if it no longer exists in Stripe.

        Args:
            force: If `true`, recreates the code when it no longer exists in Stripe. Default: `false`.
        """
        return self._connection.send("POST", f"/api/v1/affiliates/{quote(affiliate_id)}/coupon/sync", body={"force": force}, options=options)


class AffiliatesResource(_Resource):
    """Partners who promote your campaigns and earn commissions."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at", "-email", "email"] | Unset = UNSET,
        expand: Sequence[Literal["campaign", "links", "coupon", "tiers", "commission_stats", "outlook", "shared_accounts"]] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        created_since: str | Unset = UNSET,
        created_until: str | Unset = UNSET,
        archived: bool | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        email: str | Unset = UNSET,
        q: str | Unset = UNSET,
        search: str | Unset = UNSET,
        state: Sequence[AffiliateState] | Unset = UNSET,
        signed_in: bool | Unset = UNSET,
        psp_customer_id: str | Unset = UNSET,
        ids: Sequence[str] | Unset = UNSET,
        external_id: str | Unset = UNSET,
        metadata: Dict[str, str] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Affiliate, AffiliatesListResponse]:
        """List affiliates.

        Returns affiliates that are not archived, or archived ones with `archived=true`, newest first unless
        `sort` says otherwise.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            created_since: Returns records created at or after this time.
            created_until: Returns records created at or before this time.
            archived: `true`: archived records only.
            campaign_id: ID of the campaign.
            email: Filters by exact email address, case-insensitive.
            q: Searches, ignoring case: the beginning of the email address, the full name or the last name.
            search: Filters by part of the email address or name, case-insensitive.
            state: Filters by one or more of these values. Accepts several values, repeated (`state=a&state=b`
              or `state[]=a&state[]=b`) or comma-separated (`state=a,b`).
            signed_in: Filters by whether the affiliate has ever signed in.
            psp_customer_id: Filters by exact Stripe customer ID.
            ids: Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`)
              or comma-separated (`ids=a,b`).
            external_id: Filters by exact `external_id`.
            metadata: Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`.
        """
        return self._connection.list("/api/v1/affiliates", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "expand": expand, "updated_since": updated_since, "updated_until": updated_until, "created_since": created_since, "created_until": created_until, "archived": archived, "campaign_id": campaign_id, "email": email, "q": q, "search": search, "state": state, "signed_in": signed_in, "psp_customer_id": psp_customer_id, "ids": ids, "external_id": external_id, "metadata": metadata}, options)

    def create(
        self,
        *,
        email: str,
        campaign_id: str | Unset = UNSET,
        first_name: str | None | Unset = UNSET,
        last_name: str | None | Unset = UNSET,
        state: AffiliateState | Unset = UNSET,
        walleta_email: str | None | Unset = UNSET,
        walletb_email: str | None | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Affiliate:
        """Create an affiliate.

        Emits `affiliate.created`, and `affiliate.approved` if the affiliate is active.

        Args:
            email: Email address, unique among affiliates that are not archived.
            campaign_id: Campaign to join. Defaults to the account’s default campaign.
            first_name: First name.
            last_name: Last name.
            state: Initial state, by default `active`.
            walleta_email: PayPal email address for payouts.
            walletb_email: Wise email address for payouts.
            external_id: Your ID for the record, unique among records of this kind.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
        """
        return self._connection.send("POST", "/api/v1/affiliates", body={"email": email, "campaign_id": campaign_id, "first_name": first_name, "last_name": last_name, "state": state, "walleta_email": walleta_email, "walletb_email": walletb_email, "external_id": external_id, "metadata": metadata}, options=options)

    def get(
        self,
        id: str,
        *,
        expand: Sequence[Literal["campaign", "links", "coupon", "tiers", "commission_stats", "outlook", "shared_accounts"]] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Affiliate:
        """Retrieve an affiliate.

        Also returns archived affiliates.

        Args:
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
        """
        return self._connection.send("GET", f"/api/v1/affiliates/{quote(id)}", query={"expand": expand}, options=options)

    def upsert(
        self,
        id: str,
        *,
        email: str,
        campaign_id: str | Unset = UNSET,
        first_name: str | None | Unset = UNSET,
        last_name: str | None | Unset = UNSET,
        state: AffiliateState | Unset = UNSET,
        walleta_email: str | None | Unset = UNSET,
        walletb_email: str | None | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PlainAffiliate:
        """Create or update an affiliate by your ID.

        Creates the affiliate with this `external_id`, or updates the given fields of the affiliate who has it.
        An affiliate with the given email address and without an `external_id` gets this one. Archived
        affiliates are not found. Emits the events of a creation or a change.

        Args:
            email: Email address, unique among affiliates that are not archived.
            campaign_id: Campaign to join. Defaults to the account’s default campaign.
            first_name: First name.
            last_name: Last name.
            state: Initial state, by default `active`.
            walleta_email: PayPal email address for payouts.
            walletb_email: Wise email address for payouts.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
        """
        return self._connection.send("PUT", f"/api/v1/affiliates/{quote(id)}", body={"email": email, "campaign_id": campaign_id, "first_name": first_name, "last_name": last_name, "state": state, "walleta_email": walleta_email, "walletb_email": walletb_email, "metadata": metadata}, options=options)

    def update(
        self,
        id: str,
        *,
        email: str | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        first_name: str | None | Unset = UNSET,
        last_name: str | None | Unset = UNSET,
        state: AffiliateState | Unset = UNSET,
        walleta_email: str | None | Unset = UNSET,
        walletb_email: str | None | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        archived_at: None | Unset = UNSET,
        move_links: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Affiliate:
        """Update an affiliate.

        Updates the given fields. Emits `affiliate.approved` when the affiliate becomes active. With
        `move_links`, the affiliate’s links and promo codes move to the new campaign; `left_behind` in the
        response says what stays in the former one. `archived_at: null` restores an archived affiliate.

        Args:
            email: Email address, unique among affiliates that are not archived.
            campaign_id: ID of the campaign.
            first_name: First name.
            last_name: Last name.
            state: State of the affiliate. `active` affiliates track visits and earn commissions. So do
              `suspicious` ones, but their commissions are flagged for review and their payouts are on hold;
              setting the affiliate to `active` releases both. Affiliates in any other state do neither.
            walleta_email: PayPal email address for payouts.
            walletb_email: Wise email address for payouts.
            external_id: Your ID for the record, unique among records of this kind.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
            archived_at: `null` restores the archived record.
            move_links: With a new `campaign_id`, also moves links and promo codes. Existing referrals stay in
              the former campaign and earn on its terms. Default: `false`.
        """
        return self._connection.send("PATCH", f"/api/v1/affiliates/{quote(id)}", body={"email": email, "campaign_id": campaign_id, "first_name": first_name, "last_name": last_name, "state": state, "walleta_email": walleta_email, "walletb_email": walletb_email, "external_id": external_id, "metadata": metadata, "archived_at": archived_at, "move_links": move_links}, options=options)

    def archive(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Archive an affiliate.

        The affiliate stops earning and is no longer listed, but can still be retrieved. Archiving an archived
        affiliate has no effect.
        """
        return self._connection.send("DELETE", f"/api/v1/affiliates/{quote(id)}", options=options)

    def timeline(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> AffiliateTimeline:
        """Retrieve the timeline of an affiliate.

        Returns the history of the affiliate, newest first: when they joined, their first click and first sale,
        and the latest refunds and payouts. Test sales are left out.
        """
        return self._connection.send("GET", f"/api/v1/affiliates/{quote(id)}/timeline", options=options)

    def create_many(
        self,
        *,
        items: Sequence[Dict[str, Any]],
        upsert: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> AffiliatesBulk:
        """Create or update up to 100 affiliates.

        With `upsert`, an item updates the given fields of the affiliate with its `external_id` or, if it has
        none, its email address. Each item has a transaction of its own, and a result. An item that fails
        changes nothing for the others. With an `Idempotency-Key`, a repeated call returns the same results, and
        continues after an interruption.

        Args:
            items: Up to 100 records, as for a single call.
            upsert: If `true`, an item updates the affiliate who has its `external_id` or, if it has none, its
              email address. Default: `false`.
        """
        return self._connection.send("POST", "/api/v1/affiliates/bulk", body={"items": items, "upsert": upsert}, options=options)

    def create_portal_link(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PortalSignInLink:
        """Create a sign-in link to the portal.

        Returns a URL that opens the affiliate’s portal. The URL works once, within 60 seconds. Use it for an
        “open my affiliate dashboard” button in your own application: create the link when the button is
        clicked, and redirect to it. The portal stays open for 12 hours. It reads and shares: payout details,
        name and address are changed only by the affiliate, after a sign-in.
        """
        return self._connection.send("POST", f"/api/v1/affiliates/{quote(id)}/portal_link", options=options)

    def create_portal_link_by_email(
        self,
        *,
        email: str | Unset = UNSET,
        external_id: str | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        first_name: str | None | Unset = UNSET,
        last_name: str | None | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PortalSignInLink:
        """Create a sign-in link to the portal, by email address or external ID.

        Does the same as `POST /affiliates/{id}/portal_link`, but finds the affiliate by `external_id` or, if no
        affiliate has that `external_id`, by `email`. If no affiliate is found, creates an active affiliate with
        a first link. The other fields are used only for a new affiliate.

        Args:
            email: Email address. Required if no affiliate has the given `external_id` yet.
            external_id: Your ID for the affiliate. The affiliate is looked up by this ID first, then by
              `email`. An affiliate found by `email` who has no `external_id` yet gets this ID.
            campaign_id: Campaign to join. Defaults to the account’s default campaign.
            first_name: First name.
            last_name: Last name.
        """
        return self._connection.send("POST", "/api/v1/affiliates/portal_link", body={"email": email, "external_id": external_id, "campaign_id": campaign_id, "first_name": first_name, "last_name": last_name}, options=options)

    def create_embed_token(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> EmbedToken:
        """Create a token that embeds the portal.

        Returns a token that is valid for an hour. With it, the loader `/embed.js` shows the affiliate’s portal
        in a frame of your application. Set the sites that may embed the portal in the portal settings. The
        portal reads and shares: payout details, name and address are changed only by the affiliate, after a
        sign-in.
        """
        return self._connection.send("POST", f"/api/v1/affiliates/{quote(id)}/embed_token", options=options)

    def create_embed_token_by_email(
        self,
        *,
        email: str | Unset = UNSET,
        external_id: str | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        first_name: str | None | Unset = UNSET,
        last_name: str | None | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> EmbedToken:
        """Create a token that embeds the portal, by email address or external ID.

        Does the same as `POST /affiliates/{id}/embed_token`, but finds the affiliate by `external_id` or, if no
        affiliate has that `external_id`, by `email`. If no affiliate is found, creates an active affiliate with
        a first link. The other fields are used only for a new affiliate.

        Args:
            email: Email address. Required if no affiliate has the given `external_id` yet.
            external_id: Your ID for the affiliate. The affiliate is looked up by this ID first, then by
              `email`. An affiliate found by `email` who has no `external_id` yet gets this ID.
            campaign_id: Campaign to join. Defaults to the account’s default campaign.
            first_name: First name.
            last_name: Last name.
        """
        return self._connection.send("POST", "/api/v1/affiliates/embed_token", body={"email": email, "external_id": external_id, "campaign_id": campaign_id, "first_name": first_name, "last_name": last_name}, options=options)

    def personal_data(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PersonalData:
        """Export the personal data of an affiliate.

        Returns everything that is stored about the affiliate, for a request by the person.
        """
        return self._connection.send("GET", f"/api/v1/affiliates/{quote(id)}/personal_data", options=options)

    def erase(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Erased:
        """Erase the personal data of an affiliate.

        Archives the affiliate and erases name, addresses, payout details, answers and metadata in the record at
        once, and in events, deliveries, exports, the audit log and every other copy within minutes. Commissions
        and payouts keep their amounts. Refused while an export or a run holds a payout of the affiliate. Cannot
        be undone.
        """
        return self._connection.send("POST", f"/api/v1/affiliates/{quote(id)}/erase", options=options)


class ApiKeysResource(_Resource):
    """API keys authenticate requests. Each has a map of permissions."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[ApiKey, ApiKeysListResponse]:
        """List API keys.

        Returns API keys, including revoked and expired ones, newest first.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
        """
        return self._connection.list("/api/v1/api_keys", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until}, options)

    def create(
        self,
        *,
        name: str,
        permissions: Permissions | Unset = UNSET,
        livemode: bool | None | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> CreatedApiKey:
        """Create an API key.

        The secret key is in `api_key` of the response and is returned only once. A key cannot have permissions
        that its creator lacks, or outlive the API key that created it.

        Args:
            name: Name.
            permissions: Defaults to `{ "all": true }`.
            livemode: The mode of the records that the key sees and makes: `true` for live, `false` for test.
              Defaults to a key without a mode.
            expires_at: Expiration time; must be in the future. Defaults to no expiration.
        """
        return self._connection.send("POST", "/api/v1/api_keys", body={"name": name, "permissions": permissions, "livemode": livemode, "expires_at": expires_at}, options=options)

    def revoke(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> RevokedApiKey:
        """Revoke an API key.

        The key stops working. The record is kept, with `revoked_at` set. Revoking a revoked key has no effect.
        A key can only revoke keys whose permissions it has itself.
        """
        return self._connection.send("DELETE", f"/api/v1/api_keys/{quote(id)}", options=options)


class ApplicationsResource(_Resource):
    """Affiliates who wait for your decision, with their answers."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        affiliate_id: str | Unset = UNSET,
        state: Sequence[AffiliateState] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Application, ApplicationsListResponse]:
        """List applications.

        Returns the affiliates who wait for a decision, with their answers, oldest first. `state` also returns
        decided applications.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the affiliates, oldest first by default.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            affiliate_id: ID of the affiliate.
            state: Filters by state of the affiliate. Without it, returns those who wait for a decision. Accepts
              several values, repeated (`state=a&state=b` or `state[]=a&state[]=b`) or comma-separated
              (`state=a,b`).
        """
        return self._connection.list("/api/v1/applications", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until, "affiliate_id": affiliate_id, "state": state}, options)

    def get(
        self,
        affiliate_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Application:
        """Retrieve an application.

        Returns the answers of an affiliate and your note. Affiliates who never applied are not found.
        """
        return self._connection.send("GET", f"/api/v1/applications/{quote(affiliate_id)}", options=options)

    def decide(
        self,
        *,
        affiliate_ids: Sequence[str],
        decision: ApplicationDecision,
        note: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> ApplicationsDecideResponse:
        """Approve or reject applications.

        Decides about up to 100 affiliates, who get an email with the note. Affiliates who are no longer pending
        are skipped.

        Args:
            affiliate_ids: IDs of the affiliates.
            note: Note that the applicants see in the email and in the portal.
        """
        return self._connection.send("POST", "/api/v1/applications/decide", body={"affiliate_ids": affiliate_ids, "decision": decision, "note": note}, options=options)


class AssetsResource(_Resource):
    """Files that affiliates can download in their portal."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Asset, AssetsListResponse]:
        """List assets.

        Returns the files that affiliates can download in their portal, newest first, without their contents.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
        """
        return self._connection.list("/api/v1/assets", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until}, options)

    def create(
        self,
        *,
        name: str,
        content: str,
        description: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Asset:
        """Create an asset.

        Makes a file available to all affiliates, e.g. a banner or a text: PNG, JPEG, WebP, GIF, SVG, MP4, PDF,
        ZIP or text of at most 5 MiB. The type is detected from the content, and the extension of `name` must
        match it. An account can have at most 50 assets.

        Args:
            name: Name of the file. Its extension must match the content: png, jpg, webp, gif, svg, mp4, pdf,
              zip, txt, md or csv.
            description: Use of the file, for affiliates.
            content: The file in base64, at most 5 MiB.
        """
        return self._connection.send("POST", "/api/v1/assets", body={"name": name, "description": description, "content": content}, options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> AssetFile:
        """Retrieve an asset.

        Includes the address of the file in `download_url`.
        """
        return self._connection.send("GET", f"/api/v1/assets/{quote(id)}", options=options)

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete an asset.

        Cannot be undone.
        """
        return self._connection.send("DELETE", f"/api/v1/assets/{quote(id)}", options=options)

    def upload(
        self,
        file: bytes | BinaryIO,
        *,
        name: str,
        description: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Asset:
        """Upload an asset.

        Does the same as creating an asset, but takes the bytes of the file as the body of the request, e.g.
        `curl --data-binary @banner.txt -H "Content-Type: text/plain"`. Four files of an account can arrive at
        the same time.

        Args:
            file: The bytes of the file, or the file opened in binary mode.
            name: Name of the file. Its extension must match the content: png, jpg, webp, gif, svg, mp4, pdf,
              zip, txt, md or csv.
            description: Use of the file, for affiliates.
        """
        return self._connection.send("POST", "/api/v1/assets/upload", query={"name": name, "description": description}, file=file, options=options)


class CampaignsResource(_Resource):
    """Promotions with the terms under which affiliates earn commissions."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        archived: bool | Unset = UNSET,
        slug: str | Unset = UNSET,
        ids: Sequence[str] | Unset = UNSET,
        external_id: str | Unset = UNSET,
        metadata: Dict[str, str] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Campaign, CampaignsListResponse]:
        """List campaigns.

        Returns campaigns that are not archived, or archived ones with `archived=true`, newest first.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            archived: `true`: archived records only.
            slug: Filters by exact slug.
            ids: Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`)
              or comma-separated (`ids=a,b`).
            external_id: Filters by exact `external_id`.
            metadata: Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`.
        """
        return self._connection.list("/api/v1/campaigns", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until, "archived": archived, "slug": slug, "ids": ids, "external_id": external_id, "metadata": metadata}, options)

    def create(
        self,
        *,
        name: str,
        url: str,
        reward_type: RewardType,
        slug: str | Unset = UNSET,
        private: bool | Unset = UNSET,
        private_tokens: bool | Unset = UNSET,
        commission_percent: float | None | Unset = UNSET,
        commission_amount_cents: int | None | Unset = UNSET,
        commission_amount_currency: str | None | Unset = UNSET,
        minimum_payout_cents: int | Unset = UNSET,
        minimum_payout_currency: str | Unset = UNSET,
        max_commission_period_months: int | None | Unset = UNSET,
        max_commissions: int | None | Unset = UNSET,
        days_before_referrals_expire: int | Unset = UNSET,
        days_until_commissions_are_due: int | Unset = UNSET,
        affiliate_dashboard_text: str | None | Unset = UNSET,
        custom_reward_description: str | None | Unset = UNSET,
        welcome_text: str | None | Unset = UNSET,
        customers_visible_to_affiliates: bool | Unset = UNSET,
        sale_description_visible_to_affiliates: bool | Unset = UNSET,
        attribution: Attribution | Unset = UNSET,
        parameter_type: ParameterType | Unset = UNSET,
        params: Sequence[str] | Unset = UNSET,
        psp_coupon_id: str | None | Unset = UNSET,
        default: bool | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Campaign:
        """Create a campaign.

        Requires `commission_percent` if `reward_type` is `percent`, or `commission_amount_cents` if it is
        `fixed`. With `default`, replaces the previous default campaign.

        Args:
            name: Campaign name, shown to affiliates.
            url: Landing page of the campaign, also used for visitors of inactive links.
            reward_type: `percent`: percentage of the sale; `fixed`: fixed amount per sale.
            slug: Unique within the account. By default derived from the name.
            private: `true` if affiliates can join by invitation only.
            private_tokens: `true` if generated link tokens are random instead of based on the affiliate’s name.
            commission_percent: Commission as a percentage of the sale, up to two decimals. For `reward_type`
              `percent`.
            commission_amount_cents: Commission per sale, in the minor unit of its currency. For `reward_type`
              `fixed`.
            commission_amount_currency: Currency of `commission_amount_cents`. Defaults to the account’s
              currency.
            minimum_payout_cents: Minimum payout amount. Payouts below it are not eligible. Defaults to 0.
            minimum_payout_currency: Currency of `minimum_payout_cents`. The minimum applies only to payouts in
              this currency.
            max_commission_period_months: Calendar months, counted from a referral’s first commission, in which
              its sales earn commissions. `null` for no limit.
            max_commissions: Maximum number of commissions per referral; `null` for no limit. Commissions of
              fully refunded sales do not count. A commission that you void no longer counts for sales charged
              afterwards.
            days_before_referrals_expire: Attribution window: days a visitor has to convert. Defaults to 60.
            days_until_commissions_are_due: Holding period: days from the charge until its commission is due. 0
              for immediately. Defaults to 30.
            affiliate_dashboard_text: Text for the affiliate dashboard.
            custom_reward_description: Custom description of the reward.
            welcome_text: Welcome text for new affiliates.
            customers_visible_to_affiliates: `true` if affiliates can see their customers. Defaults to `false`.
            sale_description_visible_to_affiliates: `true` if affiliates can see sale descriptions. Defaults to
              `true`.
            attribution: Which click earns if a visitor clicks several links before converting: the first click
              (`first_click`), or the latest click on a link of this campaign (`last_click`). Defaults to
              `first_click`.
            parameter_type: Place of the token in links: the query string (`query`) or the URL fragment
              (`hash`). Defaults to `query`.
            params: Names of the URL parameters that carry the token of a link in addition to `via`, e.g. those
              of a former tool: `?ref=ada`. The tracking snippet of the account names them in `data-params`.
              Defaults to none.
            psp_coupon_id: ID of the Stripe coupon used for this campaign’s affiliate coupons.
            default: `true` if affiliates created without a campaign join this one. At most one campaign is the
              default.
            external_id: Your ID for the record, unique among records of this kind.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
        """
        return self._connection.send("POST", "/api/v1/campaigns", body={"name": name, "url": url, "reward_type": reward_type, "slug": slug, "private": private, "private_tokens": private_tokens, "commission_percent": commission_percent, "commission_amount_cents": commission_amount_cents, "commission_amount_currency": commission_amount_currency, "minimum_payout_cents": minimum_payout_cents, "minimum_payout_currency": minimum_payout_currency, "max_commission_period_months": max_commission_period_months, "max_commissions": max_commissions, "days_before_referrals_expire": days_before_referrals_expire, "days_until_commissions_are_due": days_until_commissions_are_due, "affiliate_dashboard_text": affiliate_dashboard_text, "custom_reward_description": custom_reward_description, "welcome_text": welcome_text, "customers_visible_to_affiliates": customers_visible_to_affiliates, "sale_description_visible_to_affiliates": sale_description_visible_to_affiliates, "attribution": attribution, "parameter_type": parameter_type, "params": params, "psp_coupon_id": psp_coupon_id, "default": default, "external_id": external_id, "metadata": metadata}, options=options)

    def get(
        self,
        id: str,
        *,
        expand: Sequence[Literal["usage"]] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> CampaignDetail:
        """Retrieve a campaign.

        Also returns archived campaigns.

        Args:
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
        """
        return self._connection.send("GET", f"/api/v1/campaigns/{quote(id)}", query={"expand": expand}, options=options)

    def update(
        self,
        id: str,
        *,
        name: str | Unset = UNSET,
        slug: str | Unset = UNSET,
        url: str | Unset = UNSET,
        private: bool | Unset = UNSET,
        private_tokens: bool | Unset = UNSET,
        reward_type: RewardType | Unset = UNSET,
        commission_percent: float | None | Unset = UNSET,
        commission_amount_cents: int | None | Unset = UNSET,
        commission_amount_currency: str | None | Unset = UNSET,
        minimum_payout_cents: int | Unset = UNSET,
        minimum_payout_currency: str | Unset = UNSET,
        max_commission_period_months: int | None | Unset = UNSET,
        max_commissions: int | None | Unset = UNSET,
        days_before_referrals_expire: int | Unset = UNSET,
        days_until_commissions_are_due: int | Unset = UNSET,
        affiliate_dashboard_text: str | None | Unset = UNSET,
        custom_reward_description: str | None | Unset = UNSET,
        welcome_text: str | None | Unset = UNSET,
        customers_visible_to_affiliates: bool | Unset = UNSET,
        sale_description_visible_to_affiliates: bool | Unset = UNSET,
        attribution: Attribution | Unset = UNSET,
        parameter_type: ParameterType | Unset = UNSET,
        params: Sequence[str] | Unset = UNSET,
        psp_coupon_id: str | None | Unset = UNSET,
        default: bool | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        archived_at: None | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Campaign:
        """Update a campaign.

        Updates the given fields. New terms apply to later sales; existing commissions do not change.
        `archived_at: null` restores an archived campaign.

        Args:
            name: Campaign name, shown to affiliates.
            slug: Unique within the account. By default derived from the name.
            url: Landing page of the campaign, also used for visitors of inactive links.
            private: `true` if affiliates can join by invitation only.
            private_tokens: `true` if generated link tokens are random instead of based on the affiliate’s name.
            reward_type: `percent`: percentage of the sale; `fixed`: fixed amount per sale.
            commission_percent: Commission as a percentage of the sale, up to two decimals. For `reward_type`
              `percent`.
            commission_amount_cents: Commission per sale, in the minor unit of its currency. For `reward_type`
              `fixed`.
            commission_amount_currency: Currency of `commission_amount_cents`. Defaults to the account’s
              currency.
            minimum_payout_cents: Minimum payout amount. Payouts below it are not eligible. Defaults to 0.
            minimum_payout_currency: Currency of `minimum_payout_cents`. The minimum applies only to payouts in
              this currency.
            max_commission_period_months: Calendar months, counted from a referral’s first commission, in which
              its sales earn commissions. `null` for no limit.
            max_commissions: Maximum number of commissions per referral; `null` for no limit. Commissions of
              fully refunded sales do not count. A commission that you void no longer counts for sales charged
              afterwards.
            days_before_referrals_expire: Attribution window: days a visitor has to convert. Defaults to 60.
            days_until_commissions_are_due: Holding period: days from the charge until its commission is due. 0
              for immediately. Defaults to 30.
            affiliate_dashboard_text: Text for the affiliate dashboard.
            custom_reward_description: Custom description of the reward.
            welcome_text: Welcome text for new affiliates.
            customers_visible_to_affiliates: `true` if affiliates can see their customers. Defaults to `false`.
            sale_description_visible_to_affiliates: `true` if affiliates can see sale descriptions. Defaults to
              `true`.
            attribution: Which click earns if a visitor clicks several links before converting: the first click
              (`first_click`), or the latest click on a link of this campaign (`last_click`). Defaults to
              `first_click`.
            parameter_type: Place of the token in links: the query string (`query`) or the URL fragment
              (`hash`). Defaults to `query`.
            params: Names of the URL parameters that carry the token of a link in addition to `via`, e.g. those
              of a former tool: `?ref=ada`. The tracking snippet of the account names them in `data-params`.
              Defaults to none.
            psp_coupon_id: ID of the Stripe coupon used for this campaign’s affiliate coupons.
            default: `true` if affiliates created without a campaign join this one. At most one campaign is the
              default.
            external_id: Your ID for the record, unique among records of this kind.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
            archived_at: `null` restores the archived record.
        """
        return self._connection.send("PATCH", f"/api/v1/campaigns/{quote(id)}", body={"name": name, "slug": slug, "url": url, "private": private, "private_tokens": private_tokens, "reward_type": reward_type, "commission_percent": commission_percent, "commission_amount_cents": commission_amount_cents, "commission_amount_currency": commission_amount_currency, "minimum_payout_cents": minimum_payout_cents, "minimum_payout_currency": minimum_payout_currency, "max_commission_period_months": max_commission_period_months, "max_commissions": max_commissions, "days_before_referrals_expire": days_before_referrals_expire, "days_until_commissions_are_due": days_until_commissions_are_due, "affiliate_dashboard_text": affiliate_dashboard_text, "custom_reward_description": custom_reward_description, "welcome_text": welcome_text, "customers_visible_to_affiliates": customers_visible_to_affiliates, "sale_description_visible_to_affiliates": sale_description_visible_to_affiliates, "attribution": attribution, "parameter_type": parameter_type, "params": params, "psp_coupon_id": psp_coupon_id, "default": default, "external_id": external_id, "metadata": metadata, "archived_at": archived_at}, options=options)

    def archive(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Archive a campaign.

        The campaign’s affiliates stop earning. The campaign is no longer listed, but can still be retrieved.
        Archiving an archived campaign has no effect.
        """
        return self._connection.send("DELETE", f"/api/v1/campaigns/{quote(id)}", options=options)

    def timeline(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Timeline:
        """Retrieve the timeline of a campaign.

        Returns what happened: referrals and commissions of the campaign, the latest 50 of each kind, with their
        sales.
        """
        return self._connection.send("GET", f"/api/v1/campaigns/{quote(id)}/timeline", options=options)


class OverviewResource(_Resource):
    """Amounts owed, records to review, daily figures."""

    def get(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Overview:
        """Retrieve the overview.

        Returns the amounts owed to affiliates, the records that need review, the number of affiliates in each
        state, and the latest events.
        """
        return self._connection.send("GET", "/api/v1/overview", options=options)

    def falling_due(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> FallingDue:
        """Retrieve the commissions that fall due.

        Returns the pending commissions by currency and by the month in which they fall due.
        """
        return self._connection.send("GET", "/api/v1/overview/falling_due", options=options)

    def payable(
        self,
        *,
        at: str,
        options: RequestOptions | None = None,
    ) -> Payable:
        """Retrieve the payouts that will be payable.

        Returns the live payouts that could be paid at a time, if nothing else happens until then: the open
        payouts, with the commissions that become due, and what stands against paying the others.

        Args:
            at: Time of the payment, e.g. next Friday. Now or later.
        """
        return self._connection.send("GET", "/api/v1/overview/payable", query={"at": at}, options=options)

    def daily(
        self,
        *,
        from_: str | Unset = UNSET,
        to: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> DailySeries:
        """Retrieve daily figures.

        Returns clicks, referrals, conversions, sales, commissions and payouts of each day, in UTC.

        Args:
            from_: First day, in UTC. Defaults to 29 days before `to`.
            to: Last day, in UTC. Defaults to today. The range can span up to 366 days.
        """
        return self._connection.send("GET", "/api/v1/overview/daily", query={"from": from_, "to": to}, options=options)

    def top_affiliates(
        self,
        *,
        currency: str,
        from_: str | Unset = UNSET,
        to: str | Unset = UNSET,
        limit: int | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> TopAffiliates:
        """Retrieve the affiliates with the highest sales.

        Ranks affiliates by their sales in a range of days, in one currency.

        Args:
            from_: First day, in UTC. Defaults to 29 days before `to`.
            to: Last day, in UTC. Defaults to today. The range can span up to 366 days.
            currency: Currency to rank by. Sales in other currencies are not included.
            limit: Number of affiliates.
        """
        return self._connection.send("GET", "/api/v1/overview/top_affiliates", query={"from": from_, "to": to, "currency": currency, "limit": limit}, options=options)


class AnalyticsResource(_Resource):
    """Clicks, conversions, sales and earnings for a range of days, grouped by one dimension."""

    def get(
        self,
        *,
        group_by: AnalyticsDimension | Unset = UNSET,
        since: str | Unset = UNSET,
        until: str | Unset = UNSET,
        currency: str | Unset = UNSET,
        compare: Literal["previous_period"] | Unset = UNSET,
        limit: int | Unset = UNSET,
        format: Literal["json", "csv"] | Unset = UNSET,
        affiliate: str | Unset = UNSET,
        campaign: str | Unset = UNSET,
        link: str | Unset = UNSET,
        landing_path: str | Unset = UNSET,
        referrer: str | Unset = UNSET,
        utm_source: str | Unset = UNSET,
        utm_medium: str | Unset = UNSET,
        utm_campaign: str | Unset = UNSET,
        utm_term: str | Unset = UNSET,
        utm_content: str | Unset = UNSET,
        sub1: str | Unset = UNSET,
        sub2: str | Unset = UNSET,
        sub3: str | Unset = UNSET,
        sub4: str | Unset = UNSET,
        sub5: str | Unset = UNSET,
        country: str | Unset = UNSET,
        device: str | Unset = UNSET,
        browser: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> AnalyticsReport:
        """Retrieve analytics.

        Returns clicks, conversions, sales and earnings in a range of days, grouped by day, affiliate, link, or
        origin of the clicks. Clicks of bots are not counted.

        Args:
            group_by: Dimension of the rows: one row per value. If omitted, one row with the totals.
            since: First day, in the time zone of the account. Defaults to 29 days before `until`.
            until: Last day. Defaults to today. The range can span up to 400 days.
            currency: Counts amounts and sales in this currency only. Defaults to the currency of the account.
            compare: Adds `previous` to each row: the metrics of the same number of days before `since`.
            limit: Maximum number of rows; rows with the most clicks come first. Does not apply to rows of days,
              weeks, or months.
            format: With `csv`, the response also contains the rows as CSV text.
            affiliate: Filters by value; empty for records without a value.
            campaign: Filters by value; empty for records without a value.
            link: Filters by value; empty for records without a value.
            landing_path: Filters by value; empty for records without a value.
            referrer: Filters by value; empty for records without a value.
            utm_source: Filters by value; empty for records without a value.
            utm_medium: Filters by value; empty for records without a value.
            utm_campaign: Filters by value; empty for records without a value.
            utm_term: Filters by value; empty for records without a value.
            utm_content: Filters by value; empty for records without a value.
            sub1: Filters by value; empty for records without a value.
            sub2: Filters by value; empty for records without a value.
            sub3: Filters by value; empty for records without a value.
            sub4: Filters by value; empty for records without a value.
            sub5: Filters by value; empty for records without a value.
            country: Filters by value; empty for records without a value.
            device: Filters by value; empty for records without a value.
            browser: Filters by value; empty for records without a value.
        """
        return self._connection.send("GET", "/api/v1/analytics", query={"group_by": group_by, "since": since, "until": until, "currency": currency, "compare": compare, "limit": limit, "format": format, "affiliate": affiliate, "campaign": campaign, "link": link, "landing_path": landing_path, "referrer": referrer, "utm_source": utm_source, "utm_medium": utm_medium, "utm_campaign": utm_campaign, "utm_term": utm_term, "utm_content": utm_content, "sub1": sub1, "sub2": sub2, "sub3": sub3, "sub4": sub4, "sub5": sub5, "country": country, "device": device, "browser": browser}, options=options)


class PromoCodesResource(_Resource):
    """Stripe promotion codes, each assigned to one affiliate. Writes are previews unless `dry_run` is `false`."""

    def list(
        self,
        affiliate_id: str,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        q: str | Unset = UNSET,
        discounts: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[PromoCodeAssignment, PromoCodesListResponse]:
        """List an affiliate’s promo codes.

        Returns assignments, newest first. With `q`, also returns the Stripe promotion codes with exactly that
        code and their owners; with `discounts`, also returns the valid Stripe coupons. Requires a Stripe
        connection and an active affiliate in an active campaign.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            q: Exact code, case-insensitive. Filters the assignments and looks up the code in Stripe.
            discounts: If `true`, includes the valid Stripe coupons.
        """
        return self._connection.list(f"/api/v1/affiliates/{quote(affiliate_id)}/promo_codes", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until, "q": q, "discounts": discounts}, options)

    def assign(
        self,
        affiliate_id: str,
        *,
        psp_promotion_code_id: str | Unset = UNSET,
        mode: Literal["create"] | Unset = UNSET,
        code: str | Unset = UNSET,
        psp_coupon_id: str | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PromoCodeOutcome:
        """Import or create a promo code.

        Imports the Stripe promotion code `psp_promotion_code_id`, or creates a new one with `mode=create`.
        Returns a preview (200) unless `dry_run` is `false`, which requires an `Idempotency-Key`. If the
        response is `OPERATION_PENDING`, repeat the request with the same key. Requires a Stripe connection and
        an active affiliate in an active campaign.

        Args:
            psp_promotion_code_id: Stripe promotion code to import.
            mode: `create` creates a new code; requires `code` and `psp_coupon_id`.
            code: Code that customers enter at checkout.
            psp_coupon_id: ID of the Stripe coupon that the code applies.
            dry_run: If `true`, returns a preview and changes nothing here or in Stripe. Default: `true`.
        """
        return self._connection.send("POST", f"/api/v1/affiliates/{quote(affiliate_id)}/promo_codes", body={"psp_promotion_code_id": psp_promotion_code_id, "mode": mode, "code": code, "psp_coupon_id": psp_coupon_id, "dry_run": dry_run}, options=options)

    def list_all(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        affiliate_id: str | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        code: str | Unset = UNSET,
        status: Sequence[PromoCodeStatus] | Unset = UNSET,
        livemode: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[PromoCodeAssignment, PromoCodesListAllResponse]:
        """List all promo codes.

        Returns the assignments of all affiliates, stopped ones included, newest first. Does not ask Stripe.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            affiliate_id: ID of the affiliate.
            campaign_id: ID of the campaign.
            code: Exact code, case-insensitive.
            status: Filters by one or more of these values. Accepts several values, repeated
              (`status=a&status=b` or `status[]=a&status[]=b`) or comma-separated (`status=a,b`).
            livemode: `true`: records of live mode only. `false`: records of test mode only.
        """
        return self._connection.list("/api/v1/promo_codes", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until, "affiliate_id": affiliate_id, "campaign_id": campaign_id, "code": code, "status": status, "livemode": livemode}, options)

    def create(
        self,
        *,
        affiliate_id: str,
        campaign_id: str | Unset = UNSET,
        code: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PromoCodeAssignment:
        """Assign a code of your own shop.

        Assigns a code that your own shop redeems to an affiliate. Needs no payment provider. Report sales with
        the code as `promo_code`. A code of another affiliate, and a code whose tracking was stopped, are
        refused (409).

        Args:
            affiliate_id: ID of the affiliate.
            campaign_id: Campaign whose terms sales with the code earn by. Default: that of the affiliate.
            code: Code that customers enter in your shop, in any case. Default: made from the name of the
              affiliate.
        """
        return self._connection.send("POST", "/api/v1/promo_codes", body={"affiliate_id": affiliate_id, "campaign_id": campaign_id, "code": code}, options=options)

    def create_many(
        self,
        *,
        items: Sequence[Dict[str, Any]],
        options: RequestOptions | None = None,
    ) -> PromoCodesBulk:
        """Assign up to 100 codes of your own shop.

        Each item has a transaction of its own, and a result. An item that fails changes nothing for the others.
        With an `Idempotency-Key`, a repeated call returns the same results, and continues after an
        interruption.

        Args:
            items: Up to 100 records, as for a single call.
        """
        return self._connection.send("POST", "/api/v1/promo_codes/bulk", body={"items": items}, options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PromoCodeAssignment:
        """Retrieve a promo code.

        Also returns stopped assignments.
        """
        return self._connection.send("GET", f"/api/v1/promo_codes/{quote(id)}", options=options)

    def pending(
        self,
        *,
        affiliate_id: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PromoCodesPendingResponse:
        """List pending operations on promo codes.

        Returns imports and creations whose outcome at Stripe is unknown, oldest first. Repeat the request with
        the same `Idempotency-Key`, or resume the operation.

        Args:
            affiliate_id: ID of the affiliate.
        """
        return self._connection.send("GET", "/api/v1/promo_codes/operations", query={"affiliate_id": affiliate_id}, options=options)

    def resume(
        self,
        operation_id: str,
        *,
        affiliate_id: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PromoCodeOutcome:
        """Resume a pending operation on a promo code.

        Finishes an import or a creation that somebody has begun: asks Stripe for its outcome, and repeats it if
        necessary. Requires a Stripe connection and an active affiliate in an active campaign.

        Args:
            affiliate_id: If given, must be the affiliate of the operation.
        """
        return self._connection.send("POST", f"/api/v1/promo_codes/operations/{quote(operation_id)}/resume", body={"affiliate_id": affiliate_id}, options=options)

    def refresh(
        self,
        affiliate_id: str,
        id: str,
        *,
        dry_run: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PromoCodeOutcome:
        """Refresh a promo code.

        Fetches the current state of the code from Stripe and, unless `dry_run` is `true`, stores it. Requires a
        Stripe connection and an active affiliate in an active campaign.

        Args:
            dry_run: If `true`, returns a preview and changes nothing here or in Stripe. Default: `true`.
        """
        return self._connection.send("PATCH", f"/api/v1/affiliates/{quote(affiliate_id)}/promo_codes/{quote(id)}", body={"dry_run": dry_run}, options=options)

    def stop(
        self,
        affiliate_id: str,
        id: str,
        *,
        dry_run: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PromoCodeOutcome:
        """Stop tracking a promo code.

        Permanently stops tracking the code, unless `dry_run` is `true`. Stripe still redeems the code, and
        sales already attributed to it are not affected.

        Args:
            dry_run: If `true`, returns a preview and changes nothing here or in Stripe.
        """
        return self._connection.send("DELETE", f"/api/v1/affiliates/{quote(affiliate_id)}/promo_codes/{quote(id)}", query={"dry_run": dry_run}, options=options)


class CommissionsResource(_Resource):
    """Amounts that affiliates earn from sales. A commission is pending, due, paid, or voided."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at", "-amount_cents", "amount_cents"] | Unset = UNSET,
        expand: Sequence[Literal["campaign", "sale", "affiliate", "lines", "contested", "explanation", "sale.customer", "affiliate.campaign"]] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        created_since: str | Unset = UNSET,
        created_until: str | Unset = UNSET,
        currency: str | Unset = UNSET,
        amount_from_cents: int | Unset = UNSET,
        amount_to_cents: int | Unset = UNSET,
        external_id: str | Unset = UNSET,
        metadata: Dict[str, str] | Unset = UNSET,
        state: Sequence[CommissionState] | Unset = UNSET,
        affiliate_id: str | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        referral_id: str | Unset = UNSET,
        sale_id: str | Unset = UNSET,
        payout_id: str | Unset = UNSET,
        customer_id: str | Unset = UNSET,
        ids: Sequence[str] | Unset = UNSET,
        review_status: Sequence[ReviewStatus] | Unset = UNSET,
        needs_review: bool | Unset = UNSET,
        contested: bool | Unset = UNSET,
        livemode: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Commission, CommissionsListResponse]:
        """List commissions.

        Returns commissions of every state, newest first unless `sort` says otherwise.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending. Order by `amount_cents` requires at
              most 50,000 records, all of one currency.
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            created_since: Returns records created at or after this time.
            created_until: Returns records created at or before this time.
            currency: Filters by currency.
            amount_from_cents: Returns records with at least this amount.
            amount_to_cents: Returns records with at most this amount.
            external_id: Filters by exact `external_id`.
            metadata: Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`.
            state: Filters by one or more of these values. Accepts several values, repeated (`state=a&state=b`
              or `state[]=a&state[]=b`) or comma-separated (`state=a,b`).
            affiliate_id: ID of the affiliate.
            campaign_id: ID of the campaign.
            referral_id: ID of the referral.
            sale_id: ID of the sale.
            payout_id: Returns the commissions that the payout holds.
            customer_id: Returns the commissions from sales to the customer.
            ids: Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`)
              or comma-separated (`ids=a,b`).
            review_status: Filters by one or more of these values. Accepts several values, repeated
              (`review_status=a&review_status=b` or `review_status[]=a&review_status[]=b`) or comma-separated
              (`review_status=a,b`).
            needs_review: `true`: only unpaid commissions that are flagged until somebody reviews them.
              `unpaid_lead` is not among them, because it ends by itself. `false`: only others.
            contested: `true`: only paid rewards that facts contradict, which can be reconsidered. `false`: only
              others.
            livemode: `true`: records of live mode only. `false`: records of test mode only.
        """
        return self._connection.list("/api/v1/commissions", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "expand": expand, "updated_since": updated_since, "updated_until": updated_until, "created_since": created_since, "created_until": created_until, "currency": currency, "amount_from_cents": amount_from_cents, "amount_to_cents": amount_to_cents, "external_id": external_id, "metadata": metadata, "state": state, "affiliate_id": affiliate_id, "campaign_id": campaign_id, "referral_id": referral_id, "sale_id": sale_id, "payout_id": payout_id, "customer_id": customer_id, "ids": ids, "review_status": review_status, "needs_review": needs_review, "contested": contested, "livemode": livemode}, options)

    def create(
        self,
        *,
        affiliate_id: str,
        amount_cents: int,
        currency: str,
        note: str,
        due_at: str | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Commission:
        """Create a manual commission.

        For a bonus or a correction, positive or negative. It becomes due, joins the affiliate’s open payout,
        and is paid and voided like any other commission. It is not linked to a sale. Emits `commission.created`
        and, when it is due, `commission.due`.

        Args:
            affiliate_id: ID of the affiliate.
            amount_cents: Amount in the minor unit of `currency`; negative to take money back from the next
              payout. Not 0.
            currency: ISO 4217 currency code.
            note: Purpose of the commission, e.g. a bonus or a correction.
            due_at: Time at which the commission becomes due. Defaults to now.
            external_id: Your ID for the record, unique among records of this kind.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
        """
        return self._connection.send("POST", "/api/v1/commissions", body={"affiliate_id": affiliate_id, "amount_cents": amount_cents, "currency": currency, "note": note, "due_at": due_at, "external_id": external_id, "metadata": metadata}, options=options)

    def timeline(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Timeline:
        """Retrieve the timeline of a commission.

        Returns what happened to the commission: the sale, refunds, adjustments, and the payout.
        """
        return self._connection.send("GET", f"/api/v1/commissions/{quote(id)}/timeline", options=options)

    def get(
        self,
        id: str,
        *,
        expand: Sequence[Literal["campaign", "sale", "affiliate", "lines", "contested", "explanation", "sale.customer", "affiliate.campaign"]] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Commission:
        """Retrieve a commission.

        Includes the campaign and the sale.

        Args:
            expand: `explanation`: how the amount came about. `lines`: what each line of the sale earns.
              `contested`: what a paid reward would be by the facts that are known now, if it can be reconsidered.
              `sale.customer`: who paid. The campaign and sale are always expanded. Accepts several values,
              repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
        """
        return self._connection.send("GET", f"/api/v1/commissions/{quote(id)}", query={"expand": expand}, options=options)

    def update(
        self,
        id: str,
        *,
        due_at: str | Unset = UNSET,
        paid_at: str | None | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Commission:
        """Update a commission.

        Set `paid_at` to mark the commission paid manually, or to `null` to make it pending or due again,
        depending on its due date. A voided commission, or a commission in a claimed or paid payout, cannot be
        marked paid or unpaid. The due date of an unpaid commission in a claimed payout cannot be changed.

        Args:
            due_at: Due date. Moves an unpaid commission between `pending` and `due`.
            paid_at: Set to a time, not in the future, to mark the commission paid manually, or to `null` to
              make it pending or due again.
            external_id: Your ID for the record, unique among records of this kind.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
        """
        return self._connection.send("PATCH", f"/api/v1/commissions/{quote(id)}", body={"due_at": due_at, "paid_at": paid_at, "external_id": external_id, "metadata": metadata}, options=options)

    def void(
        self,
        id: str,
        *,
        void_reason: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> None:
        """Void a commission.

        The record is kept. If the commission is already in a claimed or paid payout, that payout does not
        change and a negative adjustment reduces the affiliate’s next payout. Emits `commission.voided`. Voiding
        a voided commission has no effect.

        Args:
            void_reason: Reason, stored with the commission.
        """
        return self._connection.send("DELETE", f"/api/v1/commissions/{quote(id)}", query={"void_reason": void_reason}, options=options)

    def create_many(
        self,
        *,
        items: Sequence[Dict[str, Any]],
        options: RequestOptions | None = None,
    ) -> CommissionsBulk:
        """Create up to 100 manual commissions.

        Each item has a transaction of its own, and a result. An item that fails changes nothing for the others.
        With an `Idempotency-Key`, a repeated call returns the same results, and continues after an
        interruption.

        Args:
            items: Up to 100 records, as for a single call.
        """
        return self._connection.send("POST", "/api/v1/commissions/bulk", body={"items": items}, options=options)

    def review(
        self,
        id: str,
        *,
        review_action: ReviewAction,
        options: RequestOptions | None = None,
    ) -> Commission:
        """Review a commission.

        Approves, flags, or deactivates an unpaid commission, or has a paid bonus, reward for a lead or
        milestone decided again. Other paid commissions and voided ones cannot be reviewed.

        Args:
            review_action: `approve`: clears the flag. `suspicious`: flags the commission and excludes it from
              payouts. `deactivate`: voids it and deactivates its referral. The bonuses of a sale follow its
              commission. `reconsider`: takes back a paid bonus, reward for a lead or milestone that facts
              contradict, and earns what is right by the facts. `keep`: such a reward stands.
        """
        return self._connection.send("POST", f"/api/v1/commissions/{quote(id)}/review", body={"review_action": review_action}, options=options)


class CustomersResource(_Resource):
    """People who were referred or who bought, with their referral and affiliate."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        expand: Sequence[Literal["affiliate", "affiliate.campaign"]] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        created_since: str | Unset = UNSET,
        created_until: str | Unset = UNSET,
        ids: Sequence[str] | Unset = UNSET,
        external_id: str | Unset = UNSET,
        metadata: Dict[str, str] | Unset = UNSET,
        q: str | Unset = UNSET,
        search: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[ListedCustomer, CustomersListResponse]:
        """List customers.

        Returns customers, each with its referral and affiliate, newest first unless `sort` says otherwise.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            created_since: Returns records created at or after this time.
            created_until: Returns records created at or before this time.
            ids: Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`)
              or comma-separated (`ids=a,b`).
            external_id: Filters by exact `external_id`.
            metadata: Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`.
            q: Searches, ignoring case: the beginning of the email address or the name, or the whole of any
              email address, of your ID or of the Stripe customer ID.
            search: Filters by the beginning of the email address, case-insensitive, or by your own ID of the
              customer.
        """
        return self._connection.list("/api/v1/customers", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "expand": expand, "updated_since": updated_since, "updated_until": updated_until, "created_since": created_since, "created_until": created_until, "ids": ids, "external_id": external_id, "metadata": metadata, "q": q, "search": search}, options)

    def timeline(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Timeline:
        """Retrieve the timeline of a customer.

        Returns what happened to the customer: clicks, the conversion, sales, refunds, commissions and their
        payouts.
        """
        return self._connection.send("GET", f"/api/v1/customers/{quote(id)}/timeline", options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> ListedCustomer:
        """Retrieve a customer.

        Includes the affiliate.
        """
        return self._connection.send("GET", f"/api/v1/customers/{quote(id)}", options=options)

    def update(
        self,
        id: str,
        *,
        name: str | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> ListedCustomer:
        """Update a customer.

        Updates the given fields. `external_id` is also the ID by which your reports name the customer. Use
        `PATCH /referrals/{id}` to assign a customer to a referral.

        Args:
            name: Full name.
            external_id: Your ID for the record, unique among records of this kind.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
        """
        return self._connection.send("PATCH", f"/api/v1/customers/{quote(id)}", body={"name": name, "external_id": external_id, "metadata": metadata}, options=options)

    def upsert(
        self,
        id: str,
        *,
        email: str | Unset = UNSET,
        name: str | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> ListedCustomer:
        """Create or update a customer by your ID.

        Creates the customer with this `external_id`, or updates the given fields of the customer who has it. A
        customer with the given email address is the same person: the customer gets the `external_id`, and two
        customers are merged.

        Args:
            email: Email address. The customer is also known by it.
            name: Full name.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
        """
        return self._connection.send("PUT", f"/api/v1/customers/{quote(id)}", body={"email": email, "name": name, "metadata": metadata}, options=options)

    def identities(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> CustomersIdentitiesResponse:
        """List the identities of a customer.

        Returns every email address, Stripe customer ID and ID of yours by which the customer is found. The list
        is complete and has no pages.
        """
        return self._connection.send("GET", f"/api/v1/customers/{quote(id)}/identities", options=options)

    def merge(
        self,
        id: str,
        *,
        customer_id: str,
        options: RequestOptions | None = None,
    ) -> ListedCustomer:
        """Merge another customer into a customer.

        For two customers who are one person. Sales, referral and identities of `customer_id` move to the
        customer in the path, who keeps its ID; the other one no longer exists. Commissions of the sales are
        decided again. Cannot be undone. Emits `customer.merged`.

        Args:
            customer_id: Customer that is merged into the other one and then no longer exists.
        """
        return self._connection.send("POST", f"/api/v1/customers/{quote(id)}/merge", body={"customer_id": customer_id}, options=options)

    def personal_data(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PersonalData:
        """Export the personal data of a customer.

        Returns everything that is stored about the customer, for a request by the person.
        """
        return self._connection.send("GET", f"/api/v1/customers/{quote(id)}/personal_data", options=options)

    def erase(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Erased:
        """Erase the personal data of a customer.

        Erases name, addresses and metadata in the record at once, and in events, deliveries, the audit log and
        every other copy within minutes. Sales and commissions keep their amounts. The record keeps its IDs, and
        later facts about them add no personal data. Cannot be undone.
        """
        return self._connection.send("POST", f"/api/v1/customers/{quote(id)}/erase", options=options)


class EventsResource(_Resource):
    """Changes of records, kept for 90 days, which the service posts to your webhook endpoints."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        type: Sequence[EventSubscription] | Unset = UNSET,
        subject_id: str | Unset = UNSET,
        after_sequence: int | Unset = UNSET,
        occurred_since: str | Unset = UNSET,
        occurred_until: str | Unset = UNSET,
        expand: Sequence[Literal["deliveries"]] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Event, EventsListResponse]:
        """List events.

        Returns the events of the last 90 days, newest first, whether or not a webhook endpoint received them.
        Events of test deliveries are left out.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            type: Filters by type. `commission.*` stands for all types about commissions. Accepts several
              values, repeated (`type=a&type=b` or `type[]=a&type[]=b`) or comma-separated (`type=a,b`).
            subject_id: ID of the record that the event is about, e.g. of an affiliate or a commission.
            after_sequence: Returns events with a higher `sequence`, in the order of their sequence. To follow
              the events without losing one, repeat the request with the `sequence` of the last event that you
              have read.
            occurred_since: Returns events that occurred at or after this time.
            occurred_until: Returns events that occurred at or before this time.
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
        """
        return self._connection.list("/api/v1/events", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "type": type, "subject_id": subject_id, "after_sequence": after_sequence, "occurred_since": occurred_since, "occurred_until": occurred_until, "expand": expand}, options)

    def get(
        self,
        id: str,
        *,
        expand: Sequence[Literal["deliveries"]] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Event:
        """Retrieve an event.

        Also returns the events of test deliveries.

        Args:
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
        """
        return self._connection.send("GET", f"/api/v1/events/{quote(id)}", query={"expand": expand}, options=options)


class LeadsResource(_Resource):
    """Referrals whose visitor signed up and has not paid."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        expand: Sequence[Literal["link", "customer", "affiliate", "touches", "affiliate.campaign"]] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        created_since: str | Unset = UNSET,
        created_until: str | Unset = UNSET,
        external_id: str | Unset = UNSET,
        metadata: Dict[str, str] | Unset = UNSET,
        affiliate_id: str | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        link_id: str | Unset = UNSET,
        customer_id: str | Unset = UNSET,
        ids: Sequence[str] | Unset = UNSET,
        psp_customer_id: str | Unset = UNSET,
        email: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Referral, LeadsListResponse]:
        """List leads.

        Returns the referrals in the state `lead`: the visitor signed up and has not paid. Newest first unless
        `sort` says otherwise.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            created_since: Returns records created at or after this time.
            created_until: Returns records created at or before this time.
            external_id: Filters by exact `external_id`.
            metadata: Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`.
            affiliate_id: ID of the affiliate.
            campaign_id: ID of the campaign.
            link_id: ID of the link.
            customer_id: ID of the customer.
            ids: Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`)
              or comma-separated (`ids=a,b`).
            psp_customer_id: Filters by exact Stripe customer ID.
            email: Filters by exact customer email address, case-insensitive.
        """
        return self._connection.list("/api/v1/leads", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "expand": expand, "updated_since": updated_since, "updated_until": updated_until, "created_since": created_since, "created_until": created_until, "external_id": external_id, "metadata": metadata, "affiliate_id": affiliate_id, "campaign_id": campaign_id, "link_id": link_id, "customer_id": customer_id, "ids": ids, "psp_customer_id": psp_customer_id, "email": email}, options)

    def create(
        self,
        *,
        referral_id: str,
        email: str,
        options: RequestOptions | None = None,
    ) -> Referral:
        """Report a lead from your server.

        Assigns the customer to the referral, which becomes a lead unless it converted already. Unlike `POST
        /track/leads`, it proves who the customer is, so later commissions are not flagged.

        Args:
            referral_id: Referral of the visitor who signed up.
            email: Email address of the customer.
        """
        return self._connection.send("POST", "/api/v1/leads", body={"referral_id": referral_id, "email": email}, options=options)


class LinksResource(_Resource):
    """Tracked links that affiliates share."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        archived: bool | Unset = UNSET,
        affiliate_id: str | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        token: str | Unset = UNSET,
        url: str | Unset = UNSET,
        ids: Sequence[str] | Unset = UNSET,
        external_id: str | Unset = UNSET,
        metadata: Dict[str, str] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Link, LinksListResponse]:
        """List links.

        Returns links that are not archived, or archived ones with `archived=true`, newest first.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            archived: `true`: archived records only.
            affiliate_id: ID of the affiliate.
            campaign_id: ID of the campaign.
            token: Filters by link code or former link code, case-insensitive.
            url: Filters by exact destination URL, as in the record.
            ids: Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`)
              or comma-separated (`ids=a,b`).
            external_id: Filters by exact `external_id`.
            metadata: Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`.
        """
        return self._connection.list("/api/v1/links", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until, "archived": archived, "affiliate_id": affiliate_id, "campaign_id": campaign_id, "token": token, "url": url, "ids": ids, "external_id": external_id, "metadata": metadata}, options)

    def create(
        self,
        *,
        affiliate_id: str,
        campaign_id: str,
        url: str,
        token: str | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Link:
        """Create a link.

        Without `token`, generates one from the affiliate’s name, or a random one if the campaign has
        `private_tokens`.

        Args:
            affiliate_id: ID of the affiliate.
            campaign_id: ID of the campaign.
            url: Destination URL.
            token: Link code. Unique within the account, case-insensitive. Defaults to a generated code.
            external_id: Your ID for the record, unique among records of this kind.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
        """
        return self._connection.send("POST", "/api/v1/links", body={"affiliate_id": affiliate_id, "campaign_id": campaign_id, "url": url, "token": token, "external_id": external_id, "metadata": metadata}, options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Link:
        """Retrieve a link.

        Also returns archived links.
        """
        return self._connection.send("GET", f"/api/v1/links/{quote(id)}", options=options)

    def update(
        self,
        id: str,
        *,
        affiliate_id: str | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        url: str | Unset = UNSET,
        token: str | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        archived_at: None | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Link:
        """Update a link.

        Updates the given fields. Existing referrals keep their affiliate and campaign. `archived_at: null`
        restores an archived link.

        Args:
            affiliate_id: ID of the affiliate.
            campaign_id: ID of the campaign.
            url: Destination URL.
            token: Link code. Unique within the account, case-insensitive.
            external_id: Your ID for the record, unique among records of this kind.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
            archived_at: `null` restores the archived record.
        """
        return self._connection.send("PATCH", f"/api/v1/links/{quote(id)}", body={"affiliate_id": affiliate_id, "campaign_id": campaign_id, "url": url, "token": token, "external_id": external_id, "metadata": metadata, "archived_at": archived_at}, options=options)

    def archive(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Archive a link.

        The link stops recording visits and is no longer listed, but still redirects. Archiving an archived link
        has no effect.
        """
        return self._connection.send("DELETE", f"/api/v1/links/{quote(id)}", options=options)

    def timeline(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Timeline:
        """Retrieve the timeline of a link.

        Returns what happened: clicks and referrals of the link, the latest 50 of each kind, with their sales
        and commissions.
        """
        return self._connection.send("GET", f"/api/v1/links/{quote(id)}/timeline", options=options)

    def create_many(
        self,
        *,
        items: Sequence[Dict[str, Any]],
        options: RequestOptions | None = None,
    ) -> LinksBulk:
        """Create up to 100 links.

        Each item has a transaction of its own, and a result. An item that fails changes nothing for the others.
        With an `Idempotency-Key`, a repeated call returns the same results, and continues after an
        interruption.

        Args:
            items: Up to 100 records, as for a single call.
        """
        return self._connection.send("POST", "/api/v1/links/bulk", body={"items": items}, options=options)


class PayoutsResource(_Resource):
    """Commissions of one affiliate in one currency that are paid together."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at", "-amount_cents", "amount_cents"] | Unset = UNSET,
        expand: Sequence[Literal["affiliate", "commissions", "attempts", "shared_accounts", "under_review", "explanation", "affiliate.campaign", "commissions.campaign", "commissions.sale"]] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        created_since: str | Unset = UNSET,
        created_until: str | Unset = UNSET,
        currency: str | Unset = UNSET,
        amount_from_cents: int | Unset = UNSET,
        amount_to_cents: int | Unset = UNSET,
        external_id: str | Unset = UNSET,
        metadata: Dict[str, str] | Unset = UNSET,
        affiliate_id: str | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        payment_reference: str | Unset = UNSET,
        ids: Sequence[str] | Unset = UNSET,
        state: Sequence[PayoutState] | Unset = UNSET,
        livemode: bool | Unset = UNSET,
        eligible: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Payout, PayoutsListResponse]:
        """List payouts.

        Returns payouts of every state, newest first unless `sort` says otherwise. With `eligible=true`, returns
        all eligible live payouts as `{ "data": [...] }`, without pagination; with `livemode=false`, the
        eligible test payouts.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending. Order by `amount_cents` requires at
              most 50,000 records, all of one currency.
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            created_since: Returns records created at or after this time.
            created_until: Returns records created at or before this time.
            currency: Filters by currency.
            amount_from_cents: Returns records with at least this amount.
            amount_to_cents: Returns records with at most this amount.
            external_id: Filters by exact `external_id`.
            metadata: Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`.
            affiliate_id: ID of the affiliate.
            campaign_id: Returns the payouts of affiliates in the campaign.
            payment_reference: Filters by exact `payment_reference`.
            ids: Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`)
              or comma-separated (`ids=a,b`).
            state: Filters by one or more of these values. Accepts several values, repeated (`state=a&state=b`
              or `state[]=a&state[]=b`) or comma-separated (`state=a,b`).
            livemode: `true`: records of live mode only. `false`: records of test mode only.
            eligible: `true`: returns all eligible payouts without pagination; only live payouts, unless
              `livemode` is `false`. `false`: returns only payouts that are not eligible.
        """
        return self._connection.list("/api/v1/payouts", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "expand": expand, "updated_since": updated_since, "updated_until": updated_until, "created_since": created_since, "created_until": created_until, "currency": currency, "amount_from_cents": amount_from_cents, "amount_to_cents": amount_to_cents, "external_id": external_id, "metadata": metadata, "affiliate_id": affiliate_id, "campaign_id": campaign_id, "payment_reference": payment_reference, "ids": ids, "state": state, "livemode": livemode, "eligible": eligible}, options)

    def timeline(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Timeline:
        """Retrieve the timeline of a payout.

        Returns what happened to the payout: its commissions, and when it was claimed, paid and returned.
        """
        return self._connection.send("GET", f"/api/v1/payouts/{quote(id)}/timeline", options=options)

    def get(
        self,
        id: str,
        *,
        expand: Sequence[Literal["affiliate", "commissions", "attempts", "shared_accounts", "under_review", "explanation", "affiliate.campaign", "commissions.campaign", "commissions.sale"]] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Payout:
        """Retrieve a payout.

        Args:
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
        """
        return self._connection.send("GET", f"/api/v1/payouts/{quote(id)}", query={"expand": expand}, options=options)

    def update(
        self,
        id: str,
        *,
        external_id: str | None | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Payout:
        """Update a payout.

        Changes your ID and your metadata of a payout in any state. To pay a payout, use `POST
        /payouts/{id}/pay`.

        Args:
            external_id: Your ID for the record, unique among records of this kind.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
        """
        return self._connection.send("PATCH", f"/api/v1/payouts/{quote(id)}", body={"external_id": external_id, "metadata": metadata}, options=options)

    def items(
        self,
        id: str,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at", "-amount_cents", "amount_cents"] | Unset = UNSET,
        expand: Sequence[Literal["campaign", "sale", "affiliate", "lines", "contested", "explanation", "sale.customer", "affiliate.campaign"]] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Commission, PayoutsItemsResponse]:
        """List the commissions of a payout.

        Returns the commissions that the payout holds. A returned payout holds none.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending. Order by `amount_cents` requires at
              most 50,000 records, all of one currency.
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
        """
        return self._connection.list(f"/api/v1/payouts/{quote(id)}/items", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "expand": expand}, options)

    def pay(
        self,
        id: str,
        *,
        payment_reference: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Payout:
        """Mark a payout as paid.

        Marks the payout and its commissions as paid and emits `payout.paid`. Does not transfer money. The
        payout must be open (`pending` or `due`) with an amount above zero; it does not have to be eligible.
        Fails if it is claimed by an export or a run, or already paid.

        Args:
            payment_reference: Your reference for the transfer, stored with the payout.
        """
        return self._connection.send("POST", f"/api/v1/payouts/{quote(id)}/pay", body={"payment_reference": payment_reference}, options=options)

    def return_(
        self,
        id: str,
        *,
        reason: str,
        options: RequestOptions | None = None,
    ) -> Payout:
        """Return a payout.

        For a paid payout whose transfer bounced. Its commissions are due again and join the affiliate’s open
        payout; the payout is kept as `returned`. Emits `payout.returned`. Returning a returned payout has no
        effect. Fails with `not_paid` if the payout is not paid.

        Args:
            reason: Reason why the transfer bounced, stored with the payout.
        """
        return self._connection.send("POST", f"/api/v1/payouts/{quote(id)}/return", body={"reason": reason}, options=options)


class PayoutAttemptsResource(_Resource):
    """Tries to pay payouts: what was sent by which method, and how it ended."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        expand: Sequence[Literal["affiliate", "affiliate.campaign"]] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        payout_id: str | Unset = UNSET,
        affiliate_id: str | Unset = UNSET,
        batch_id: str | Unset = UNSET,
        method: str | Unset = UNSET,
        state: Sequence[PayoutAttemptState] | Unset = UNSET,
        livemode: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[ListedPayoutAttempt, PayoutAttemptsListResponse]:
        """List payout attempts.

        Returns attempts to pay payouts, newest first, whatever made them: a payment by hand, an export, a run
        or a batch.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            payout_id: ID of the payout.
            affiliate_id: ID of the affiliate.
            batch_id: Returns the attempts of an export, a run or a batch.
            method: Returns the attempts by a kind of method.
            state: Filters by one or more of these values. Accepts several values, repeated (`state=a&state=b`
              or `state[]=a&state[]=b`) or comma-separated (`state=a,b`).
            livemode: `true`: records of live mode only. `false`: records of test mode only.
        """
        return self._connection.list("/api/v1/payout_attempts", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "expand": expand, "updated_since": updated_since, "updated_until": updated_until, "payout_id": payout_id, "affiliate_id": affiliate_id, "batch_id": batch_id, "method": method, "state": state, "livemode": livemode}, options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PayoutAttempt:
        """Retrieve a payout attempt."""
        return self._connection.send("GET", f"/api/v1/payout_attempts/{quote(id)}", options=options)

    def prepare(
        self,
        *,
        method: str,
        payout_ids: Sequence[str] | Unset = UNSET,
        livemode: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PreparedPayouts:
        """Prepare payments.

        Claims eligible payouts, and pays them by a method whose payments the service sends. They are sent after
        the response. Emits `payout.updated`.

        Args:
            method: Kind of a method whose payments the service sends.
            payout_ids: Default: all eligible payouts of the mode. All of them must be eligible.
            livemode: `false`: prepares test payouts. Default: `true`.
        """
        return self._connection.send("POST", "/api/v1/payout_attempts/prepare", body={"method": method, "payout_ids": payout_ids, "livemode": livemode}, options=options)

    def withdraw(
        self,
        id: str,
        *,
        reason: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PayoutAttempt:
        """Withdraw a prepared payment.

        Ends a payment that the service has prepared and not sent. Its payout is open again.

        Args:
            reason: Stored with the attempt. Default: `"withdrawn"`.
        """
        return self._connection.send("POST", f"/api/v1/payout_attempts/{quote(id)}/withdraw", body={"reason": reason}, options=options)

    def decide(
        self,
        id: str,
        *,
        outcome: PayoutAttemptOutcome,
        reason: str,
        provider_item_id: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PayoutAttempt:
        """Decide an unknown outcome.

        For a payment without an answer whose outcome the service can no longer find out (`unknown`, with the
        reason `key_expired` or `amount_mismatch`). Look the payment up where it was sent first: after `failed`,
        the payout can be paid again. Emits `payout.paid` or `payout.failed`.

        Args:
            outcome: `arrived`: the payout is paid; `failed`: the payout is open again, and can be paid in
              another way.
            reason: Source of the knowledge. Stored in the audit log and, with `failed`, with the attempt.
            provider_item_id: The id of the payment where it was sent. With it, the service notices if the money
              comes back.
        """
        return self._connection.send("POST", f"/api/v1/payout_attempts/{quote(id)}/decide", body={"outcome": outcome, "reason": reason, "provider_item_id": provider_item_id}, options=options)

    def retry(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PayoutAttempt:
        """Retry a payment.

        Sends a payment without an answer again within a minute, with the same key. For a payment that failed,
        makes a new attempt with the current address of the affiliate, which is returned. Its payout must be
        eligible.
        """
        return self._connection.send("POST", f"/api/v1/payout_attempts/{quote(id)}/retry", options=options)

    def cancel(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PayoutAttempt:
        """Call a payment back.

        Asks the service that pays to call a payment back that has not arrived, e.g. one that the receiver has
        not claimed. The answer comes later: the attempt is then `returned`, or goes on.
        """
        return self._connection.send("POST", f"/api/v1/payout_attempts/{quote(id)}/cancel", options=options)


class PayoutBatchesResource(_Resource):
    """Payments that the service sends together: prepare, approve, send, and withdraw."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        livemode: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[ListedPayoutBatch, PayoutBatchesListResponse]:
        """List payout batches.

        Returns payments that the service sends together, newest first, with their totals and fees.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            livemode: `true`: records of live mode only. `false`: records of test mode only.
        """
        return self._connection.list("/api/v1/payout_batches", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until, "livemode": livemode}, options)

    def create(
        self,
        *,
        method: str,
        affiliate_ids: Sequence[str] | Unset = UNSET,
        livemode: bool | Unset = UNSET,
        notes: str | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> CreatedPayoutBatch:
        """Create a payout batch.

        Claims the eligible payouts of all affiliates, or of `affiliate_ids`, for a method whose payments the
        service sends. Nothing is sent before `POST /payout_batches/{id}/send`. With `dry_run`, previews the
        batch.

        Args:
            method: Kind of a method whose payments the service sends.
            affiliate_ids: Limits the batch to these affiliates.
            livemode: `false`: prepares test payouts. Default: `true`.
            notes: Internal notes.
            dry_run: If `true`, previews the batch without making it. Default: `false`.
        """
        return self._connection.send("POST", "/api/v1/payout_batches", body={"method": method, "affiliate_ids": affiliate_ids, "livemode": livemode, "notes": notes, "dry_run": dry_run}, options=options)

    def get(
        self,
        id: str,
        *,
        expand: Sequence[Literal["attempts"]] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PayoutBatch:
        """Retrieve a payout batch.

        Returns payments that the service sends together, with their totals and fees.

        Args:
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
        """
        return self._connection.send("GET", f"/api/v1/payout_batches/{quote(id)}", query={"expand": expand}, options=options)

    def approve(
        self,
        id: str,
        *,
        items_hash: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PayoutBatch:
        """Approve a payout batch.

        Approves exactly the payments of now, for a signed-in person who did not prepare them and has signed in
        within the last 15 minutes. An API key counts as the person who made it. Sends nothing.

        Args:
            items_hash: The `items_hash` of the payments that you have seen. With other payments, the request is
              refused.
        """
        return self._connection.send("POST", f"/api/v1/payout_batches/{quote(id)}/approve", body={"items_hash": items_hash}, options=options)

    def send(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PayoutBatch:
        """Send a payout batch.

        Has the service send the payments, after the response. If the account asks for a second person
        (`needs_approval`), they must be approved first.
        """
        return self._connection.send("POST", f"/api/v1/payout_batches/{quote(id)}/send", options=options)

    def withdraw(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PayoutBatch:
        """Withdraw a payout batch.

        Ends the payments that are not sent. Their payouts are open again. Payments that are sent go on.
        """
        return self._connection.send("POST", f"/api/v1/payout_batches/{quote(id)}/withdraw", options=options)


class PayoutMethodsResource(_Resource):
    """The ways in which affiliates are paid. Addresses are shown in part."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        affiliate_id: str | Unset = UNSET,
        kind: str | Unset = UNSET,
        retired: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[PayoutMethod, PayoutMethodsListResponse]:
        """List payout methods.

        Returns the methods of affiliates, newest first. Methods that were removed are returned with
        `retired=true`.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            affiliate_id: ID of the affiliate.
            kind: Returns the methods of a kind.
            retired: `true` also returns methods that were removed.
        """
        return self._connection.list("/api/v1/payout_methods", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until, "affiliate_id": affiliate_id, "kind": kind, "retired": retired}, options)

    def create(
        self,
        *,
        affiliate_id: str,
        kind: str,
        address: Dict[str, str],
        options: RequestOptions | None = None,
    ) -> PayoutMethod:
        """Add a payout method.

        Adds a way in which an affiliate is paid. The affiliate is told by email. Emits `payout_method.created`.
        Fails if the affiliate has a method of the kind.

        Args:
            affiliate_id: ID of the affiliate.
            kind: Kind of the entry.
            address: Address in the form of the kind (`GET /payout_methods/kinds`), e.g. `{ "email": … }` for
              `paypal` and `wise`.
        """
        return self._connection.send("POST", "/api/v1/payout_methods", body={"affiliate_id": affiliate_id, "kind": kind, "address": address}, options=options)

    def kinds(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> PayoutMethodsKindsResponse:
        """List the kinds of payout methods.

        Returns the kinds of methods to which affiliates can be paid now, with the parts of their addresses.
        Bank accounts are among them once your own account is connected (`payout_rails`).
        """
        return self._connection.send("GET", "/api/v1/payout_methods/kinds", options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PayoutMethod:
        """Retrieve a payout method."""
        return self._connection.send("GET", f"/api/v1/payout_methods/{quote(id)}", options=options)

    def update(
        self,
        id: str,
        *,
        address: Dict[str, str],
        options: RequestOptions | None = None,
    ) -> PayoutMethod:
        """Change a payout method.

        Changes the address. Payments that are prepared and not sent are withdrawn, and the former address is
        told by email. Emits `payout_method.updated`.

        Args:
            address: Address in the form of the kind (`GET /payout_methods/kinds`), e.g. `{ "email": … }` for
              `paypal` and `wise`.
        """
        return self._connection.send("PATCH", f"/api/v1/payout_methods/{quote(id)}", body={"address": address}, options=options)

    def retire(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Remove a payout method.

        A removed method can still be retrieved. Removing it again has no effect. Emits `payout_method.updated`.
        """
        return self._connection.send("DELETE", f"/api/v1/payout_methods/{quote(id)}", options=options)

    def open_account(
        self,
        *,
        affiliate_id: str,
        kind: str,
        country: str | Unset = UNSET,
        return_url: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> OpenedPayoutAccount:
        """Open an account for an affiliate.

        Opens an account for an affiliate at a service that pays nobody without one. It becomes the payout
        method of the affiliate. Makes a link where the affiliate enters what the service asks for. For an
        affiliate who has one, makes another link. Emits `payout_method.created`.

        Args:
            affiliate_id: ID of the affiliate.
            kind: Kind of a method whose service opens accounts for affiliates.
            country: Country of the affiliate, by its two letters. Default: that of your account at the service.
            return_url: Page to which the affiliate comes back. Coming back does not mean that everything was
              entered. Default: the payout details in the portal.
        """
        return self._connection.send("POST", "/api/v1/payout_methods/open_account", body={"affiliate_id": affiliate_id, "kind": kind, "country": country, "return_url": return_url}, options=options)


class PayoutScreeningsResource(_Resource):
    """Comparisons of affiliates with lists of people and companies that nobody may pay."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        affiliate_id: str | Unset = UNSET,
        held: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[PayoutScreening, PayoutScreeningsListResponse]:
        """List payout screenings.

        Returns comparisons of affiliates with lists of people and companies that nobody may pay, newest first.
        There are none unless the account compares affiliates (`PUT /api/settings/v1/payout_screening`).

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            affiliate_id: ID of the affiliate.
            held: `true`: only those because of which affiliates are not paid now.
        """
        return self._connection.list("/api/v1/payout_screenings", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "affiliate_id": affiliate_id, "held": held}, options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PayoutScreening:
        """Retrieve a payout screening."""
        return self._connection.send("GET", f"/api/v1/payout_screenings/{quote(id)}", options=options)

    def release(
        self,
        id: str,
        *,
        reason: str,
        options: RequestOptions | None = None,
    ) -> PayoutScreening:
        """Release a payout screening.

        Lets an affiliate be paid in spite of a hit, for a signed-in person who has signed in within the last 15
        minutes. It ends when the name, a payout method or the matching entries change. Payments that wait for
        it are sent.

        Args:
            reason: Reason why the affiliate is not the one on the list. Stored with the screening and in the
              audit log.
        """
        return self._connection.send("POST", f"/api/v1/payout_screenings/{quote(id)}/release", body={"reason": reason}, options=options)

    def settings(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> ScreeningSettings:
        """Retrieve the settings of payout screenings.

        Returns whether affiliates are compared with lists before they are paid, and the lists that the operator
        of the installation has loaded.
        """
        return self._connection.send("GET", "/api/settings/v1/payout_screening", options=options)

    def configure(
        self,
        *,
        kind: ScreeningKind | None,
        options: RequestOptions | None = None,
    ) -> ScreeningSettings:
        """Change the settings of payout screenings.

        Has affiliates compared with lists before they are paid, or not any more. Payouts wait until their
        affiliates are compared, usually for less than a minute. `null` needs a person who has signed in within
        the last 15 minutes.

        Args:
            kind: `lists`: affiliates are compared with the lists before they are paid. `null`: they are not.
        """
        return self._connection.send("PUT", "/api/settings/v1/payout_screening", body={"kind": kind}, options=options)


class PayoutExportsResource(_Resource):
    """Files for paying many payouts outside the service, e.g. with PayPal or Wise."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[PayoutExport, PayoutExportsListResponse]:
        """List payout exports.

        Returns exports that are not deleted, newest first, without their files.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
        """
        return self._connection.list("/api/v1/payout_exports", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until}, options)

    def create(
        self,
        *,
        payout_ids: Sequence[str] | Unset = UNSET,
        export_format: ExportFormat | Unset = UNSET,
        livemode: bool | Unset = UNSET,
        notes: str | Unset = UNSET,
        leave_out_unpayable: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> CreatedPayoutExport:
        """Create a payout export.

        Claims payouts of one mode: those in `payout_ids`, or all eligible payouts. Until the export is paid or
        deleted, the payouts cannot be paid in any other way, and new commissions go into the affiliates’ next
        payouts. Fails and lists the affected payouts if a payout is not eligible, an affiliate has no email
        address for the format (PayPal for `walleta`, Wise for `walletb`) or no bank account (`bank_sepa`,
        `bank_ach`), a `walleta` export would mix currencies, or there are too many payouts (`walleta` 5,000,
        `walletb` 1,000, `bank_sepa` and `bank_ach` 10,000, `csv` 100,000). With `leave_out_unpayable`, exports
        the other payouts instead and names these in `left_out`.

        Args:
            payout_ids: Payouts to export; each must be eligible. Defaults to all eligible payouts.
            export_format: File format. Defaults to `csv`.
            livemode: `false` exports payouts of the payment provider’s test mode. An export never mixes modes.
              Default: `true`.
            notes: Internal notes, not included in the file.
            leave_out_unpayable: `true` leaves out payouts that the format cannot pay, instead of failing.
              Default: `false`.
        """
        return self._connection.send("POST", "/api/v1/payout_exports", body={"payout_ids": payout_ids, "export_format": export_format, "livemode": livemode, "notes": notes, "leave_out_unpayable": leave_out_unpayable}, options=options)

    def timeline(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Timeline:
        """Retrieve the timeline of a payout export.

        Returns what happened: when its payouts were claimed, paid and returned, the latest 50 of them.
        """
        return self._connection.send("GET", f"/api/v1/payout_exports/{quote(id)}/timeline", options=options)

    def check(
        self,
        *,
        payout_ids: Sequence[str] | Unset = UNSET,
        livemode: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PayoutExportCheck:
        """Check a payout export.

        Returns for each format which payouts an export created now would include, and which ones a file of the
        format cannot pay, with the reason. Each payout in `payout_ids` must be eligible. Changes nothing.

        Args:
            payout_ids: Payouts to check. Defaults to all eligible payouts. Accepts several values, repeated
              (`payout_ids=a&payout_ids=b` or `payout_ids[]=a&payout_ids[]=b`) or comma-separated
              (`payout_ids=a,b`).
            livemode: `false` checks payouts of the payment provider’s test mode.
        """
        return self._connection.send("GET", "/api/v1/payout_exports/check", query={"payout_ids": payout_ids, "livemode": livemode}, options=options)

    def get(
        self,
        id: str,
        *,
        export_format: ExportFormat | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PayoutExportFile:
        """Retrieve a payout export.

        Includes the file in `filename` and `content`. The content is fixed when the export is created;
        `export_format` returns the same payouts in another format. Also returns deleted exports.

        Args:
            export_format: Format of the returned file. Defaults to the format of the export.
        """
        return self._connection.send("GET", f"/api/v1/payout_exports/{quote(id)}", query={"export_format": export_format}, options=options)

    def release(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PayoutExport:
        """Delete a payout export.

        Releases the payouts. Commissions earned since the export was created are added to them. A paid export
        cannot be deleted. A deleted export is no longer listed, but can still be retrieved. Deleting a deleted
        export has no effect.
        """
        return self._connection.send("DELETE", f"/api/v1/payout_exports/{quote(id)}", options=options)

    def take_out(
        self,
        id: str,
        *,
        payout_ids: Sequence[str],
        options: RequestOptions | None = None,
    ) -> PayoutExport:
        """Take payouts out of a payout export.

        Releases payouts of an export that is not paid, as if they had never been in it. `content` no longer has
        them, so send the bank the new file. If the bank has paid the former file already, mark the export as
        paid instead.

        Args:
            payout_ids: Payouts of the export that are not paid with it.
        """
        return self._connection.send("POST", f"/api/v1/payout_exports/{quote(id)}/take_out", body={"payout_ids": payout_ids}, options=options)

    def approve(
        self,
        id: str,
        *,
        items_hash: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PayoutExport:
        """Approve a payout export.

        Approves exactly the payouts of the export, so that its file can be read, for a signed-in person who did
        not create it and has signed in within the last 15 minutes. An API key counts as the person who made it.
        Pays nothing.

        Args:
            items_hash: The `items_hash` of the export that you have seen. With other payouts, the request is
              refused.
        """
        return self._connection.send("POST", f"/api/v1/payout_exports/{quote(id)}/approve", body={"items_hash": items_hash}, options=options)

    def pay(
        self,
        payout_export_id: str,
        *,
        payment_reference: str | Unset = UNSET,
        already_sent: bool | Unset = UNSET,
        refused: Sequence[Dict[str, Any]] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PayoutExport:
        """Mark a payout export as paid.

        Marks all payouts in the export and their commissions as paid, and emits `payout.paid` for each payout.
        Does not transfer money. Checks all payouts again, and fails and lists those that have changed since the
        export was created: the affiliate is not active, the payout details or the amount have changed, or a
        commission was voided or flagged. If the money was sent already, set `already_sent`. An export of up to
        2,000 payouts is `paid` in the response. A larger one is returned as `paying` and finished in the
        background; `paid_count` shows the progress.

        Args:
            payment_reference: Your reference for the transfer, stored with each payout.
            already_sent: `true` if the money was sent already: marks the payouts as paid even if they have
              changed since the export was created. Default: `false`.
            refused: Payouts that were not paid. They are open again. Default: `[]`.
        """
        return self._connection.send("POST", f"/api/v1/payout_exports/{quote(payout_export_id)}/payment", body={"payment_reference": payment_reference, "already_sent": already_sent, "refused": refused}, options=options)

    def report(
        self,
        payout_export_id: str,
        *,
        bank_report: str,
        options: RequestOptions | None = None,
    ) -> PayoutExportReport:
        """Apply a report of the bank.

        Reads what your bank says about the payments of a `bank_sepa` export: what was booked is marked as paid,
        what was rejected is open again, and what came back is returned. The rest stays as it is, so several
        reports may follow one another. A report that is sent again changes nothing.

        Args:
            bank_report: Content of the file of your bank: pain.002, camt.053 or camt.054.
        """
        return self._connection.send("POST", f"/api/v1/payout_exports/{quote(payout_export_id)}/report", body={"bank_report": bank_report}, options=options)


class PayoutRunsResource(_Resource):
    """Batches of payouts: create, execute, remediate, and reconcile."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        state: Sequence[PayoutRunState] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[PayoutRunSummary, PayoutRunsListResponse]:
        """List payout runs.

        Returns runs of every state without their items, newest first.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            state: Filters by one or more of these values. Accepts several values, repeated (`state=a&state=b`
              or `state[]=a&state[]=b`) or comma-separated (`state=a,b`).
        """
        return self._connection.list("/api/v1/payout_runs", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until, "state": state}, options)

    def create(
        self,
        *,
        idempotency_key: str | Unset = UNSET,
        execute_now: bool | Unset = UNSET,
        affiliate_ids: Sequence[str] | Unset = UNSET,
        payout_ids: Sequence[str] | Unset = UNSET,
        livemode: bool | Unset = UNSET,
        payment_reference: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PayoutRun:
        """Create a payout run.

        Claims the eligible live payouts (with `livemode` false, the eligible test payouts) of all affiliates,
        or of `affiliate_ids`. With `execute_now`, also marks them as paid. Repeating an `idempotency_key`
        returns 200 with the current state of the existing run, or an error if other parameters differ.

        Args:
            idempotency_key: Repeating a key returns the existing run. Defaults to a generated key.
            execute_now: If `true`, executes the run immediately and returns when it is finished. Default:
              `false`.
            affiliate_ids: Limits the run to these affiliates.
            payout_ids: Limits the run to these payouts. Fails and names them if one of them is not eligible.
            livemode: `false` pays payouts of the payment provider’s test mode. A run never mixes modes.
              Default: `true`.
            payment_reference: Your reference for the transfer, stored with each payout. Used with
              `execute_now`.
        """
        return self._connection.send("POST", "/api/v1/payout_runs", body={"idempotency_key": idempotency_key, "execute_now": execute_now, "affiliate_ids": affiliate_ids, "payout_ids": payout_ids, "livemode": livemode, "payment_reference": payment_reference}, options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PayoutRunSummary:
        """Retrieve a payout run.

        Returns the run without its items, which `GET /payout_runs/{id}/items` lists.
        """
        return self._connection.send("GET", f"/api/v1/payout_runs/{quote(id)}", options=options)

    def timeline(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Timeline:
        """Retrieve the timeline of a payout run.

        Returns what happened: when its payouts were claimed, paid and returned, the latest 50 of them.
        """
        return self._connection.send("GET", f"/api/v1/payout_runs/{quote(id)}/timeline", options=options)

    def items(
        self,
        id: str,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        state: Sequence[PayoutRunItemState] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Dict[str, Any], PayoutRunsItemsResponse]:
        """List the items of a payout run.

        Returns the payouts of the run: failed items first, then oldest payouts first.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            state: Filters by one or more of these values. Accepts several values, repeated (`state=a&state=b`
              or `state[]=a&state[]=b`) or comma-separated (`state=a,b`).
        """
        return self._connection.list(f"/api/v1/payout_runs/{quote(id)}/items", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "state": state}, options)

    def execute(
        self,
        id: str,
        *,
        async_: bool | Unset = UNSET,
        payment_reference: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PayoutRun:
        """Execute a payout run.

        Checks every item again. Items that pass are marked as paid and emit `payout.paid`; items that fail
        become issues, and their payouts are open again. With `async`, returns 202 and continues in the
        background; `items_done` shows the progress. Repeat the call to read the current progress. Executing a
        completed run returns it unchanged. Does not transfer money.

        Args:
            async_: If `true`, executes in the background and returns 202 immediately; if `false`, returns when
              the run is finished. Default: `true`.
            payment_reference: Your reference for the transfer, stored with each payout.
        """
        return self._connection.send("PUT", f"/api/v1/payout_runs/{quote(id)}/execute", body={"async": async_, "payment_reference": payment_reference}, options=options)

    def remediate(
        self,
        id: str,
        *,
        remediation_action: RemediationAction,
        issue_code: PayoutRunIssue | Unset = UNSET,
        payout_ids: Sequence[str] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PayoutRun:
        """Remediate a payout run.

        Handles the unpaid items of a run. `retry` checks failed items again and pays those that pass; `exclude`
        removes failed items, or the planned items in `payout_ids`; `cancel` releases all unpaid payouts.

        Args:
            remediation_action: `retry`: claims and checks failed items again and pays those that pass;
              `exclude`: removes failed items, or the planned items in `payout_ids`; `cancel`: releases all unpaid
              payouts.
            issue_code: Limits the action to failed items with this issue. Not allowed with `cancel`.
            payout_ids: Limits the action to these items. Not allowed with `cancel`.
        """
        return self._connection.send("PUT", f"/api/v1/payout_runs/{quote(id)}/remediate", body={"remediation_action": remediation_action, "issue_code": issue_code, "payout_ids": payout_ids}, options=options)

    def reconcile(
        self,
        *,
        lookback_days: int | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PayoutReconciliation:
        """Reconcile payouts.

        Returns the totals paid in the last `lookback_days` and, as `discrepancies`, inconsistent amounts,
        claims, and states. `discrepancies` is empty if everything matches. Changes nothing.

        Args:
            lookback_days: Number of days to check, counted back from now.
        """
        return self._connection.send("GET", "/api/v1/payout_runs/reconcile", query={"lookback_days": lookback_days}, options=options)


class ReferralsResource(_Resource):
    """Visitors referred by affiliates, tracked until and after conversion."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        expand: Sequence[Literal["link", "customer", "affiliate", "touches", "affiliate.campaign"]] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        created_since: str | Unset = UNSET,
        created_until: str | Unset = UNSET,
        external_id: str | Unset = UNSET,
        metadata: Dict[str, str] | Unset = UNSET,
        affiliate_id: str | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        link_id: str | Unset = UNSET,
        customer_id: str | Unset = UNSET,
        ids: Sequence[str] | Unset = UNSET,
        conversion_state: Sequence[ConversionState] | Unset = UNSET,
        conversionState: Sequence[ConversionState] | Unset = UNSET,
        psp_customer_id: str | Unset = UNSET,
        email: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Referral, ReferralsListResponse]:
        """List referrals.

        Returns referrals, including deactivated and expired ones, newest first unless `sort` says otherwise.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            created_since: Returns records created at or after this time.
            created_until: Returns records created at or before this time.
            external_id: Filters by exact `external_id`.
            metadata: Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`.
            affiliate_id: ID of the affiliate.
            campaign_id: ID of the campaign.
            link_id: ID of the link.
            customer_id: ID of the customer.
            ids: Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`)
              or comma-separated (`ids=a,b`).
            conversion_state: Filters by one or more of these values. Accepts several values, repeated
              (`conversion_state=a&conversion_state=b` or `conversion_state[]=a&conversion_state[]=b`) or
              comma-separated (`conversion_state=a,b`).
            conversionState: Alias of `conversion_state`. Accepts several values, repeated
              (`conversionState=a&conversionState=b` or `conversionState[]=a&conversionState[]=b`) or
              comma-separated (`conversionState=a,b`).
            psp_customer_id: Filters by exact Stripe customer ID.
            email: Filters by exact customer email address, case-insensitive.
        """
        return self._connection.list("/api/v1/referrals", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "expand": expand, "updated_since": updated_since, "updated_until": updated_until, "created_since": created_since, "created_until": created_until, "external_id": external_id, "metadata": metadata, "affiliate_id": affiliate_id, "campaign_id": campaign_id, "link_id": link_id, "customer_id": customer_id, "ids": ids, "conversion_state": conversion_state, "conversionState": conversionState, "psp_customer_id": psp_customer_id, "email": email}, options)

    def create(
        self,
        *,
        affiliate_id: str | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        link_id: str | Unset = UNSET,
        conversion_state: ConversionState | Unset = UNSET,
        expires_at: str | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Referral:
        """Create a referral.

        Visits through tracked links create referrals automatically. Emits `referral.created`, and
        `referral.converted` if `conversion_state` is `conversion`.

        Args:
            affiliate_id: Required unless `link_id` is given.
            campaign_id: Required unless `link_id` is given.
            link_id: Link that the visitor followed. Determines `affiliate_id` and `campaign_id`, which must
              match if given.
            conversion_state: Defaults to `visitor`.
            expires_at: End of the attribution window. Defaults to the campaign’s `days_before_referrals_expire`
              from now.
            external_id: Your ID for the record, unique among records of this kind.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
        """
        return self._connection.send("POST", "/api/v1/referrals", body={"affiliate_id": affiliate_id, "campaign_id": campaign_id, "link_id": link_id, "conversion_state": conversion_state, "expires_at": expires_at, "external_id": external_id, "metadata": metadata}, options=options)

    def timeline(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Timeline:
        """Retrieve the timeline of a referral.

        Returns what happened to the referral: clicks, the conversion, sales, refunds, commissions and their
        payouts.
        """
        return self._connection.send("GET", f"/api/v1/referrals/{quote(id)}/timeline", options=options)

    def get(
        self,
        id: str,
        *,
        expand: Sequence[Literal["link", "customer", "affiliate", "touches", "affiliate.campaign"]] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Referral:
        """Retrieve a referral.

        Args:
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
        """
        return self._connection.send("GET", f"/api/v1/referrals/{quote(id)}", query={"expand": expand}, options=options)

    def update(
        self,
        id: str,
        *,
        conversion_state: ConversionState | Unset = UNSET,
        deactivated_at: str | None | Unset = UNSET,
        customer_email: str | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Referral:
        """Update a referral.

        Updates the given fields. Emits `referral.converted` when `conversion_state` becomes `conversion`.
        Assigning a customer also attributes the customer’s unattributed sales.

        Args:
            conversion_state: `visitor`, `lead` (signed up), or `conversion` (paid).
            deactivated_at: Set to a time, not in the future, to deactivate the referral, or to `null` to
              reactivate it.
            customer_email: Assigns the customer with this email address, creating it if needed. An assigned
              customer cannot move to another referral.
            external_id: Your ID for the record, unique among records of this kind.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
        """
        return self._connection.send("PATCH", f"/api/v1/referrals/{quote(id)}", body={"conversion_state": conversion_state, "deactivated_at": deactivated_at, "customer_email": customer_email, "external_id": external_id, "metadata": metadata}, options=options)

    def deactivate(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Deactivate a referral.

        The referral stops earning; its existing commissions are not affected. To reactivate it, set
        `deactivated_at` to `null`.
        """
        return self._connection.send("DELETE", f"/api/v1/referrals/{quote(id)}", options=options)

    def create_many(
        self,
        *,
        items: Sequence[Dict[str, Any]],
        options: RequestOptions | None = None,
    ) -> ReferralsBulk:
        """Create up to 100 referrals.

        Each item has a transaction of its own, and a result. An item that fails changes nothing for the others.
        With an `Idempotency-Key`, a repeated call returns the same results, and continues after an
        interruption.

        Args:
            items: Up to 100 records, as for a single call.
        """
        return self._connection.send("POST", "/api/v1/referrals/bulk", body={"items": items}, options=options)


class RefundsResource(_Resource):
    """Refunds and lost disputes of sales, whether you or Stripe reported them."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        affiliate_id: str | Unset = UNSET,
        customer_id: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[RefundsOfSale, RefundsListResponse]:
        """List refunds.

        Returns the sales of which something was refunded, each with its refunds, whether you or Stripe reported
        them. Newest sales first unless `sort` says otherwise. To report a refund, use `POST /track/refunds`.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            affiliate_id: ID of the affiliate.
            customer_id: ID of the customer.
        """
        return self._connection.list("/api/v1/refunds", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until, "affiliate_id": affiliate_id, "customer_id": customer_id}, options)

    def get(
        self,
        sale_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> RefundsOfSale:
        """Retrieve the refunds of a sale.

        Returns an empty list for a sale of which nothing was refunded.
        """
        return self._connection.send("GET", f"/api/v1/refunds/{quote(sale_id)}", options=options)


class RewardRulesResource(_Resource):
    """Rules by which sales earn something else than the campaign’s base reward, e.g. by product, affiliate, or
    place of the sale.
    """

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        sort: Literal["rank", "-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        affiliate_id: str | Unset = UNSET,
        link_id: str | Unset = UNSET,
        ended: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[RewardRule, RewardRulesListResponse]:
        """List reward rules.

        Returns rules that have not ended, or ended ones with `ended=true`, in the order in which they decide:
        those of links, those of affiliates, then those of the campaign by position. What no rule decides earns
        the base reward of the campaign.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            sort: Order of the records. `rank` is the order in which rules decide. A leading minus means
              descending.
            campaign_id: ID of the campaign.
            affiliate_id: ID of the affiliate.
            link_id: ID of the link.
            ended: `true`: ended rules only. By default, ended rules are left out.
        """
        return self._connection.list("/api/v1/reward_rules", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "updated_since": updated_since, "updated_until": updated_until, "sort": sort, "campaign_id": campaign_id, "affiliate_id": affiliate_id, "link_id": link_id, "ended": ended}, options)

    def create(
        self,
        *,
        campaign_id: str,
        name: str,
        pay: Dict[str, Any],
        affiliate_id: str | None | Unset = UNSET,
        link_id: str | None | Unset = UNSET,
        event: RewardEvent | Unset = UNSET,
        position: int | Unset = UNSET,
        when: Dict[str, Any] | Unset = UNSET,
        cap: Dict[str, Any] | None | Unset = UNSET,
        apply: RewardApply | Unset = UNSET,
        milestone: Dict[str, Any] | None | Unset = UNSET,
        hold_days: int | None | Unset = UNSET,
        from_: str | None | Unset = UNSET,
        until: str | None | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> RewardRule:
        """Create a reward rule.

        The rule decides what sales charged from now on earn, whenever they are reported. Earlier sales do not
        change, even if `from` is earlier.

        Args:
            campaign_id: ID of the campaign.
            affiliate_id: Set if the rule is for sales of this affiliate only. Such a rule comes before those of
              the campaign.
            link_id: Set if the rule is for sales through this link only. Such a rule comes before those of the
              affiliate.
            name: Name of the rule, for you.
            event: `sale`: pays for sales. `lead`: pays a fixed amount once for each proven lead. `milestone`:
              pays a fixed amount for a number of customers or sales, or for revenue. Default: `"sale"`.
            pay: Payment of the rule: exactly one of `percent`, `fixed` and `nothing`.
            position: Place among the rules of the campaign. Defaults to the last one or, for a rule that
              excludes products or prices, to the first one.
            when: Conditions. All given conditions must hold; a list holds if any of its values does.
            cap: The most that the rule pays. Has no effect on commissions in another currency.
            apply: `instead`: decides what lines earn, if no rule before it does. `on_top`: pays a commission of
              its own (`kind` `bonus`).
            milestone: For rules of `milestone`: exactly one of `every` and `at`. A change starts the count
              again.
            hold_days: For rules of `lead`: days after which the reward is due if the customer has not paid yet.
              Defaults to 30.
            from_: Applies to charges from this time on.
            until: Applies to charges before this time.
        """
        return self._connection.send("POST", "/api/v1/reward_rules", body={"campaign_id": campaign_id, "affiliate_id": affiliate_id, "link_id": link_id, "name": name, "event": event, "pay": pay, "position": position, "when": when, "cap": cap, "apply": apply, "milestone": milestone, "hold_days": hold_days, "from": from_, "until": until}, options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> RewardRule:
        """Retrieve a reward rule.

        Also returns ended rules.
        """
        return self._connection.send("GET", f"/api/v1/reward_rules/{quote(id)}", options=options)

    def update(
        self,
        id: str,
        *,
        name: str | Unset = UNSET,
        position: int | Unset = UNSET,
        when: Dict[str, Any] | Unset = UNSET,
        pay: Dict[str, Any] | Unset = UNSET,
        cap: Dict[str, Any] | None | Unset = UNSET,
        apply: RewardApply | Unset = UNSET,
        milestone: Dict[str, Any] | None | Unset = UNSET,
        hold_days: int | None | Unset = UNSET,
        from_: str | None | Unset = UNSET,
        until: str | None | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> RewardRule:
        """Update a reward rule.

        Makes a new version of the rule for sales charged from now on. Earlier sales earn by the version that
        was in force at their charge. The answer is 409 for an ended rule.

        Args:
            name: Name of the rule, for you.
            position: Place of the rule among the rules of the campaign. The first rule whose conditions hold
              decides. At the same place, rules that exclude products come first.
            when: Conditions. All given conditions must hold; a list holds if any of its values does.
            pay: Payment of the rule: exactly one of `percent`, `fixed` and `nothing`.
            cap: The most that the rule pays. Has no effect on commissions in another currency.
            apply: `instead`: decides what lines earn, if no rule before it does. `on_top`: pays a commission of
              its own (`kind` `bonus`).
            milestone: For rules of `milestone`: exactly one of `every` and `at`. A change starts the count
              again.
            hold_days: For rules of `lead`: days after which the reward is due if the customer has not paid yet.
              Defaults to 30.
            from_: Applies to charges from this time on.
            until: Applies to charges before this time.
        """
        return self._connection.send("PATCH", f"/api/v1/reward_rules/{quote(id)}", body={"name": name, "position": position, "when": when, "pay": pay, "cap": cap, "apply": apply, "milestone": milestone, "hold_days": hold_days, "from": from_, "until": until}, options=options)

    def end(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """End a reward rule.

        The rule decides nothing about sales charged from now on. Commissions do not change. Ending an ended
        rule has no effect.
        """
        return self._connection.send("DELETE", f"/api/v1/reward_rules/{quote(id)}", options=options)

    def preview(
        self,
        id: str,
        *,
        currency: str,
        lines: Sequence[Dict[str, Any]],
        affiliate_id: str | Unset = UNSET,
        link_id: str | Unset = UNSET,
        codes: Sequence[str] | Unset = UNSET,
        metadata: Dict[str, str] | Unset = UNSET,
        country: str | Unset = UNSET,
        sale_number: int | Unset = UNSET,
        age_months: int | Unset = UNSET,
        tier_ids: Sequence[str] | Unset = UNSET,
        customer: CustomerAge | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> RewardsPreview:
        """Preview the reward of a sale.

        Returns what a sale would earn if it were charged now, and which rule decides about each line. Records
        nothing. Caps count as unused.

        Args:
            currency: ISO 4217 currency code.
            lines: Lines of the sale.
            affiliate_id: ID of the affiliate.
            link_id: ID of the link.
            codes: Codes redeemed with the sale. Default: `[]`.
            metadata: Metadata of the sale. Default: `{}`.
            country: Country of the customer.
            sale_number: Place of the sale among those of its referral. Default: `1`.
            age_months: Whole months since the first sale of the referral. Default: `0`.
            tier_ids: Tiers that the affiliate has. Default: `[]`.
            customer: Default: `"new"`.
        """
        return self._connection.send("POST", f"/api/v1/campaigns/{quote(id)}/rewards/preview", body={"currency": currency, "lines": lines, "affiliate_id": affiliate_id, "link_id": link_id, "codes": codes, "metadata": metadata, "country": country, "sale_number": sale_number, "age_months": age_months, "tier_ids": tier_ids, "customer": customer}, options=options)

    def preview_change(
        self,
        id: str,
        *,
        create: Dict[str, Any] | Unset = UNSET,
        update: Dict[str, Any] | Unset = UNSET,
        end: str | Unset = UNSET,
        rule_ids: Sequence[str] | Unset = UNSET,
        base: Dict[str, Any] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> RewardEffect:
        """Preview a change of rewards.

        Returns what the live sales of the last 30 days would have cost after a change of the rules or the base
        reward, and by the rules as they are now. Changes nothing.

        Args:
            create: A new rule.
            update: New values of a rule.
            end: A rule to end.
            rule_ids: Rules in a new order.
            base: A new base reward of the campaign.
        """
        return self._connection.send("POST", f"/api/v1/campaigns/{quote(id)}/rewards/preview_change", body={"create": create, "update": update, "end": end, "rule_ids": rule_ids, "base": base}, options=options)

    def warnings(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> RewardRulesWarningsResponse:
        """List warnings about rules.

        Returns the reward rules of a campaign that can never match, each with the reason: an earlier rule
        always decides, its conditions contradict each other, or what it names does not exist any more. Also
        returns rules from which an earlier one takes sales, with the conditions of these.
        """
        return self._connection.send("GET", f"/api/v1/campaigns/{quote(id)}/rewards/warnings", options=options)

    def reorder(
        self,
        *,
        campaign_id: str,
        rule_ids: Sequence[str],
        options: RequestOptions | None = None,
    ) -> RewardRulesReorderResponse:
        """Reorder reward rules.

        Puts rules of a campaign into a new order. Of several rules that match, the first decides.

        Args:
            campaign_id: ID of the campaign.
            rule_ids: Rules of the campaign in their new order. Rules that are left out come after them, in
              their former order.
        """
        return self._connection.send("POST", "/api/v1/reward_rules/reorder", body={"campaign_id": campaign_id, "rule_ids": rule_ids}, options=options)


class TiersResource(_Resource):
    """Levels that affiliates reach, e.g. in the month before a sale, so that reward rules pay them more."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        ended: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Tier, TiersListResponse]:
        """List tiers.

        Returns tiers that have not ended, or ended ones with `ended=true`, newest first.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            sort: Order of the records. A leading minus means descending.
            campaign_id: ID of the campaign.
            ended: `true`: ended tiers only. By default, ended tiers are left out.
        """
        return self._connection.list("/api/v1/tiers", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "updated_since": updated_since, "updated_until": updated_until, "sort": sort, "campaign_id": campaign_id, "ended": ended}, options)

    def create(
        self,
        *,
        campaign_id: str,
        name: str,
        metric: MilestoneMetric,
        from_: int,
        window: MilestoneWindow | Unset = UNSET,
        currency: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Tier:
        """Create a tier.

        Affiliates have the tier at a charge if they reached `from` in the closed period before it. A reward
        rule pays by it with `when.tier`. What a tier counts cannot be changed: end it, and create another one.

        Args:
            campaign_id: ID of the campaign.
            name: Name of the tier, which its affiliates see.
            metric: `customers`: customers who paid; `sales`: sales; `revenue`: amount of the sales in
              `currency`, in cents.
            window: Calendar period in UTC that counts: the last closed `month` or `quarter` before that of a
              charge. `ever`: everything before the month of the charge. Default: `"month"`.
            from_: Number from which the tier is reached.
            currency: Required for `revenue`.
        """
        return self._connection.send("POST", "/api/v1/tiers", body={"campaign_id": campaign_id, "name": name, "metric": metric, "window": window, "from": from_, "currency": currency}, options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Tier:
        """Retrieve a tier.

        Also returns ended tiers.
        """
        return self._connection.send("GET", f"/api/v1/tiers/{quote(id)}", options=options)

    def update(
        self,
        id: str,
        *,
        name: str,
        options: RequestOptions | None = None,
    ) -> Tier:
        """Rename a tier.

        The answer is 409 for an ended tier.

        Args:
            name: Name of the tier, which its affiliates see.
        """
        return self._connection.send("PATCH", f"/api/v1/tiers/{quote(id)}", body={"name": name}, options=options)

    def end(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """End a tier.

        No affiliate has the tier at charges from now on. Commissions do not change. Ending an ended tier has no
        effect.
        """
        return self._connection.send("DELETE", f"/api/v1/tiers/{quote(id)}", options=options)


class TrackingResource(_Resource):
    """Endpoints that record visits, leads, sales, and refunds. They are outside `/api/v1`."""

    def record_sale(
        self,
        *,
        external_id: str,
        amount_cents: int,
        currency: str,
        referral_id: str | None | Unset = UNSET,
        customer_email: str | None | Unset = UNSET,
        psp_customer_id: str | None | Unset = UNSET,
        external_customer_id: str | None | Unset = UNSET,
        psp_charge_id: str | None | Unset = UNSET,
        psp_payment_intent_id: str | None | Unset = UNSET,
        psp_invoice_id: str | None | Unset = UNSET,
        promo_code: str | None | Unset = UNSET,
        tax_amount_cents: int | Unset = UNSET,
        shipping_amount_cents: int | Unset = UNSET,
        charged_at: str | None | Unset = UNSET,
        customer_name: str | None | Unset = UNSET,
        description: str | None | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        lines: Sequence[Dict[str, Any]] | None | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> RecordedSale:
        """Report a sale.

        Call this from your server for sales that Stripe does not report. Identify the referral, the customer,
        or the promo code. Idempotent by `external_id`: reporting the same sale again returns 200 with the same
        body. With another amount, tax, currency, or customer, it returns 409 with the stored sale in
        `details.sale`: correct the sale with a refund, a manual commission, or `PATCH /referrals/{id}`.

        Args:
            external_id: Your ID for the sale. Reporting the same sale again changes nothing and returns 200
              with the same body. Another amount, tax, currency, or customer under the same ID returns 409.
            referral_id: Referral ID from the referral cookie or the `referral` query parameter.
            customer_email: Email address of the customer.
            psp_customer_id: Stripe customer ID.
            external_customer_id: Your own ID of the customer.
            psp_charge_id: Stripe charge ID. If Stripe reports this sale as well, set `psp_charge_id`,
              `psp_payment_intent_id`, or `psp_invoice_id`. Both reports then count as one sale.
            psp_payment_intent_id: Stripe payment intent ID. See `psp_charge_id`.
            psp_invoice_id: Stripe invoice ID, for an invoice with one payment. See `psp_charge_id`.
            promo_code: Promo code entered at checkout. Attributes the sale if the customer has no referral.
            amount_cents: Amount charged to the customer, including tax, in the minor unit of `currency`.
            tax_amount_cents: Tax included in `amount_cents`. Default: `0`.
            shipping_amount_cents: Shipping included in `amount_cents`, without its tax. Nobody earns from it:
              the sale has the amount without it, and refunds are reported without it, too. Default: `0`.
            currency: ISO 4217 currency code.
            charged_at: Time of the charge; not in the future. Defaults to now.
            customer_name: Name of the customer.
            description: Description.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
            lines: Sold items. Reward rules can pay by product. The amounts should add up to the sale without
              tax; a difference is divided among the lines in proportion.
        """
        return self._connection.send("POST", "/track/sales", body={"external_id": external_id, "referral_id": referral_id, "customer_email": customer_email, "psp_customer_id": psp_customer_id, "external_customer_id": external_customer_id, "psp_charge_id": psp_charge_id, "psp_payment_intent_id": psp_payment_intent_id, "psp_invoice_id": psp_invoice_id, "promo_code": promo_code, "amount_cents": amount_cents, "tax_amount_cents": tax_amount_cents, "shipping_amount_cents": shipping_amount_cents, "currency": currency, "charged_at": charged_at, "customer_name": customer_name, "description": description, "metadata": metadata, "lines": lines}, options=options)

    def record_sales(
        self,
        *,
        items: Sequence[Dict[str, Any]],
        options: RequestOptions | None = None,
    ) -> SalesBulk:
        """Report up to 100 sales.

        Each item has a transaction of its own, and a result. An item that fails changes nothing for the others.
        With an `Idempotency-Key`, a repeated call returns the same results, and continues after an
        interruption. A sale that was reported before is `unchanged`.

        Args:
            items: Up to 100 records, as for a single call.
        """
        return self._connection.send("POST", "/track/sales/bulk", body={"items": items}, options=options)

    def record_refund(
        self,
        *,
        external_id: str,
        refund_id: str,
        amount_cents: int,
        lines: Sequence[Dict[str, Any]] | None | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> RecordedSale:
        """Report a refund.

        Call this from your server for refunds that Stripe does not report. Reduces an unpaid commission, or
        voids it on a full refund. A commission in a claimed or paid payout does not change; a negative
        adjustment reduces the affiliate’s next payout. Idempotent by `refund_id`; with another amount, it
        returns 409 with the stored refund in `details.refund`.

        Args:
            external_id: `external_id` of the refunded sale. If that sale repeats the payment of another one,
              the refund is one of the other sale, which is returned.
            refund_id: Your ID for the refund. Reporting the same refund again changes nothing and returns 200.
              Another amount under the same ID returns 409.
            amount_cents: Amount of this refund in the sale’s minor currency unit. The refunds of a sale cannot
              exceed its charge.
            lines: Refunded lines. These lines of the sale then earn less. Without `lines`, all lines earn less
              in proportion.
        """
        return self._connection.send("POST", "/track/refunds", body={"external_id": external_id, "refund_id": refund_id, "amount_cents": amount_cents, "lines": lines}, options=options)

    def record_visit(
        self,
        *,
        account_id: str,
        token: str | None | Unset = UNSET,
        passed_referral_id: str | None | Unset = UNSET,
        referral_id: str | None | Unset = UNSET,
        parameters: str | None | Unset = UNSET,
        url: str | None | Unset = UNSET,
        referrer: str | None | Unset = UNSET,
        cookie_domain: str | None | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> TrackedVisit:
        """Report a visit.

        Called by the tracking script; CORS is enabled. Records a visit in the same way as a tracked link, but
        without a redirect.

        Args:
            account_id: ID of the account.
            token: Value of the `via` parameter of the page URL.
            passed_referral_id: Value of the `referral` parameter of the page URL, which a tracked link adds. If
              this referral is live, the link has already counted the visit.
            referral_id: Existing referral of this browser. It is kept while it is live, unless the campaign of
              the link uses `last_click`.
            parameters: Part of the page URL that contains `via` or `referral`, in place of `token` and
              `passed_referral_id`.
            url: URL of the page.
            referrer: URL of the page from which the visitor came (`document.referrer`).
            cookie_domain: Domain for which the browser accepts cookies. If the request goes to the merchant’s
              own domain, the response sets the referral cookie for this domain.
        """
        return self._connection.send("POST", "/track/visits", body={"account_id": account_id, "token": token, "passed_referral_id": passed_referral_id, "referral_id": referral_id, "parameters": parameters, "url": url, "referrer": referrer, "cookie_domain": cookie_domain}, options=options)

    def record_lead(
        self,
        *,
        referral_id: str,
        email: str,
        name: str | None | Unset = UNSET,
        external_customer_id: str | None | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> TrackedLead:
        """Report a lead.

        Assigns a customer to a referral, which becomes a lead. Has no effect on a customer who has paid or
        already has a referral.

        Args:
            referral_id: ID of the referral.
            email: Email address.
            name: Name.
            external_customer_id: Your own ID of the customer.
        """
        return self._connection.send("POST", "/track/leads", body={"referral_id": referral_id, "email": email, "name": name, "external_customer_id": external_customer_id}, options=options)


class InvitationsResource(_Resource):
    """Invitations to join the account as a member or an affiliate."""

    def list(
        self,
        *,
        kind: InvitationKind | Unset = UNSET,
        status: InvitationStatus | Unset = UNSET,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        ids: Sequence[str] | Unset = UNSET,
        email: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Invitation, InvitationsListResponse]:
        """List invitations.

        Returns invitations of every status, newest first.

        Args:
            kind: `member`: the person joins the account’s team; `affiliate`: the person becomes an affiliate.
            status: Filters by status.
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            ids: Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`)
              or comma-separated (`ids=a,b`).
            email: Filters by exact email address, case-insensitive.
        """
        return self._connection.list("/api/v1/invitations", {"kind": kind, "status": status, "page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until, "ids": ids, "email": email}, options)

    def create(
        self,
        *,
        kind: InvitationKind,
        email: str,
        role: Role | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        campaignId: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Invitation:
        """Create an invitation.

        Emails a link that can be used once within seven days. An email address can have one pending invitation
        of each kind. Only a signed-in owner can invite an owner.

        Args:
            kind: `member`: the person joins the account’s team; `affiliate`: the person becomes an affiliate.
            email: Email address.
            role: Role of the new member, for `kind` `member`. Defaults to `member`. Only an owner can invite an
              owner.
            campaign_id: Campaign to join. Required for `kind` `affiliate`.
            campaignId: Alias of `campaign_id`.
        """
        return self._connection.send("POST", "/api/v1/invitations", body={"kind": kind, "email": email, "role": role, "campaign_id": campaign_id, "campaignId": campaignId}, options=options)

    def get(
        self,
        id: str,
        *,
        kind: InvitationKind | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Invitation:
        """Retrieve an invitation.

        Args:
            kind: Expected kind. If set, an invitation of the other kind is not found.
        """
        return self._connection.send("GET", f"/api/v1/invitations/{quote(id)}", query={"kind": kind}, options=options)

    def update(
        self,
        id: str,
        *,
        kind: InvitationKind | Unset = UNSET,
        invitation_action: InvitationAction | Unset = UNSET,
        status_action: InvitationAction | Unset = UNSET,
        status: Literal["revoked"] | Unset = UNSET,
        role: Role | Unset = UNSET,
        user_id: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Invitation:
        """Accept, revoke, or update an invitation.

        A signed-in user can accept an invitation to their own email address; all other changes require the role
        admin. With an API key, `user_id` names the user who accepts a member invitation. Accepting an affiliate
        invitation creates an affiliate in the invitation’s campaign, or activates the existing affiliate with
        this email address.

        Args:
            kind: Expected kind. If set, an invitation of the other kind is not found.
            invitation_action: Accepts or revokes the invitation, which must be pending.
            status_action: Alias of `invitation_action`.
            status: Alias of `invitation_action=revoke`.
            role: Role of the new member, for `kind` `member`. Only an owner can invite an owner.
            user_id: User who accepts. Required to accept a member invitation with an API key. The user’s email
              address must match the invitation.
        """
        return self._connection.send("PATCH", f"/api/v1/invitations/{quote(id)}", body={"kind": kind, "invitation_action": invitation_action, "status_action": status_action, "status": status, "role": role, "user_id": user_id}, options=options)

    def delete(
        self,
        id: str,
        *,
        kind: InvitationKind | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete an invitation.

        Permanently deletes the invitation; its link stops working. A resulting member or affiliate is kept.

        Args:
            kind: Expected kind. If set, an invitation of the other kind is not found.
        """
        return self._connection.send("DELETE", f"/api/v1/invitations/{quote(id)}", query={"kind": kind}, options=options)

    def resend(
        self,
        id: str,
        *,
        kind: InvitationKind | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Invitation:
        """Resend an invitation.

        Emails a new link, valid for seven days; the previous link stops working. Limited to once a minute:
        further requests return 429 with `Retry-After`.

        Args:
            kind: Expected kind. If set, an invitation of the other kind is not found.
        """
        return self._connection.send("POST", f"/api/v1/invitations/{quote(id)}/resend", body={"kind": kind}, options=options)


class SalesResource(_Resource):
    """Charges that customers paid, whether or not they earned a commission."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at", "-charged_at", "charged_at", "-charge_amount_cents", "charge_amount_cents"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        created_since: str | Unset = UNSET,
        created_until: str | Unset = UNSET,
        ids: Sequence[str] | Unset = UNSET,
        external_id: str | Unset = UNSET,
        metadata: Dict[str, str] | Unset = UNSET,
        q: str | Unset = UNSET,
        charged_since: str | Unset = UNSET,
        charged_until: str | Unset = UNSET,
        currency: str | Unset = UNSET,
        amount_from_cents: int | Unset = UNSET,
        amount_to_cents: int | Unset = UNSET,
        affiliate_id: str | Unset = UNSET,
        referral_id: str | Unset = UNSET,
        customer_id: str | Unset = UNSET,
        connection_id: str | Unset = UNSET,
        attributed: bool | Unset = UNSET,
        needs_review: bool | Unset = UNSET,
        livemode: bool | Unset = UNSET,
        expand: Sequence[Literal["missing", "review", "explanation"]] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[SaleInList, SalesListResponse]:
        """List sales.

        Returns sales, whether or not they earned a commission, newest first unless `sort` says otherwise.
        `no_commission_reason` says why a sale earned nothing, and with `expand=missing` what it lacked and what
        would have made it count.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending. Order by `charge_amount_cents`
              requires at most 50,000 records, all of one currency.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
            created_since: Returns records created at or after this time.
            created_until: Returns records created at or before this time.
            ids: Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`)
              or comma-separated (`ids=a,b`).
            external_id: Filters by exact `external_id`.
            metadata: Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`.
            q: Searches, ignoring case: the whole of your ID, a Stripe ID, or an email address or ID of the
              customer.
            charged_since: Returns sales charged at or after this time.
            charged_until: Returns sales charged at or before this time.
            currency: Filters by currency.
            amount_from_cents: Returns records with at least this amount.
            amount_to_cents: Returns records with at most this amount.
            affiliate_id: ID of the affiliate.
            referral_id: ID of the referral.
            customer_id: ID of the customer.
            connection_id: Returns only sales whose payment this connection to a provider told.
            attributed: `true`: returns only sales that are attributed to an affiliate. `false`: returns only
              sales that are not.
            needs_review: `true`: returns only sales that a person should look at: facts contradict a paid
              commission, or refunds are in doubt (`expand=review`). `false`: returns only others.
            livemode: `true`: records of live mode only. `false`: records of test mode only.
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
        """
        return self._connection.list("/api/v1/sales", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until, "created_since": created_since, "created_until": created_until, "ids": ids, "external_id": external_id, "metadata": metadata, "q": q, "charged_since": charged_since, "charged_until": charged_until, "currency": currency, "amount_from_cents": amount_from_cents, "amount_to_cents": amount_to_cents, "affiliate_id": affiliate_id, "referral_id": referral_id, "customer_id": customer_id, "connection_id": connection_id, "attributed": attributed, "needs_review": needs_review, "livemode": livemode, "expand": expand}, options)

    def timeline(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Timeline:
        """Retrieve the timeline of a sale.

        Returns what happened to the sale: clicks, refunds, its commissions and their payouts.
        """
        return self._connection.send("GET", f"/api/v1/sales/{quote(id)}/timeline", options=options)

    def get(
        self,
        id: str,
        *,
        expand: Sequence[Literal["decision", "missing", "review", "explanation"]] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> DetailedSale:
        """Retrieve a sale.

        With `expand=decision`, also explains who earns: the claims on the customer, the rule that chose one of
        them, the terms, and the flags. With `expand=missing`, says of a sale without a commission what it
        lacked, and what would have made it count.

        Args:
            expand: Related records to include. Accepts several values, repeated (`expand=a&expand=b` or
              `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
        """
        return self._connection.send("GET", f"/api/v1/sales/{quote(id)}", query={"expand": expand}, options=options)

    def update(
        self,
        id: str,
        *,
        amount_cents: int | Unset = UNSET,
        tax_amount_cents: int | Unset = UNSET,
        currency: str | Unset = UNSET,
        metadata: Dict[str, str | None] | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> UpdatedSale:
        """Update a sale.

        Changes your metadata of a sale, or corrects the amounts of a sale that you reported, e.g. of an order
        that has grown since. The commission follows by the terms under which it was earned: an unpaid
        commission gets the new amount, and an adjustment brings a claimed or paid commission up or down. The
        currency cannot change, and the amounts of a sale that Stripe reported come from Stripe (409). With
        `dry_run`, previews the change.

        Args:
            amount_cents: Amount charged to the customer, including tax.
            tax_amount_cents: Tax included in `amount_cents`.
            currency: Must be the currency of the sale, because commissions are never converted. Another
              currency is refused.
            metadata: Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up
              to 500. A change keeps other pairs; `null` removes a pair.
            dry_run: If `true`, previews the change without making it. Default: `false`.
        """
        return self._connection.send("PATCH", f"/api/v1/sales/{quote(id)}", body={"amount_cents": amount_cents, "tax_amount_cents": tax_amount_cents, "currency": currency, "metadata": metadata, "dry_run": dry_run}, options=options)

    def reconsider(
        self,
        id: str,
        *,
        dry_run: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> ReconsideredSale:
        """Reconsider a sale.

        Decides again about a sale that earned nothing, by the current state of the affiliate, the campaign and
        the referral, and the current terms, instead of those at the time of the charge. Other facts never do
        this. A sale that has earned a commission does not change, unless the commission was paid, later facts
        gave the sale to another affiliate, and a person has voided the commission. The answer is 409 if another
        sale of the customer would lose its commission. With `dry_run`, previews the decision.

        Args:
            dry_run: If `true`, previews the decision without making it. Default: `false`.
        """
        return self._connection.send("POST", f"/api/v1/sales/{quote(id)}/reconsider", body={"dry_run": dry_run}, options=options)

    def review(
        self,
        id: str,
        *,
        review_action: SaleReviewAction,
        updated_at: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> ListedSale:
        """Review a sale.

        Records that you have looked at a sale that needs a review (`expand=review`), and that its money is
        right: the paid commission stands (`keep`), or the refunds of two reports are the same (`same_refunds`).
        The sale and `reconcile` then no longer list it, until other facts are reported. No money moves. If
        there is nothing to review, nothing changes.

        Args:
            review_action: `keep`: the paid commission stands, although facts contradict it. `same_refunds`: the
              refunds in doubt are those that count. Other facts put both in doubt again.
            updated_at: `updated_at` of the sale that was reviewed. If the sale has changed since then, the
              answer is 409.
        """
        return self._connection.send("POST", f"/api/v1/sales/{quote(id)}/review", body={"review_action": review_action, "updated_at": updated_at}, options=options)

    def assign(
        self,
        id: str,
        *,
        affiliate_id: str | Unset = UNSET,
        referral_id: str | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> AssignedSale:
        """Assign a sale to an affiliate.

        Names the affiliate, or the referral, who earns from a sale whose commission is not paid. An unpaid
        commission of another affiliate is voided, and later facts do not undo the assignment. Later sales of
        the same customer follow, unless their commissions are paid; `also` lists their new commissions. Emits
        the events of every change. Fails if the commission of another affiliate is paid. Assigning the sale to
        the same affiliate again changes no money. With `dry_run`, previews the assignment.

        Args:
            affiliate_id: The affiliate who earns. Send either this or `referral_id`.
            referral_id: The referral through which the customer came. Send either this or `affiliate_id`.
            dry_run: If `true`, previews the assignment without making it. Default: `false`.
        """
        return self._connection.send("POST", f"/api/v1/sales/{quote(id)}/assign", body={"affiliate_id": affiliate_id, "referral_id": referral_id, "dry_run": dry_run}, options=options)


class SearchResource(_Resource):
    """Finds records of every kind by an ID, a name, an email address, or a code."""

    def find(
        self,
        *,
        q: str,
        options: RequestOptions | None = None,
    ) -> SearchResults:
        """Search all records.

        Returns the records that match best: affiliates, customers, referrals, sales, commissions, payouts,
        runs, links and promo codes.

        Args:
            q: An ID; the beginning of the name or email address of an affiliate, or of the email address of a
              customer; or a complete link code, promo code, order ID, Stripe ID, or payment reference.
        """
        return self._connection.send("GET", "/api/v1/search", query={"q": q}, options=options)


class ApiRequestsResource(_Resource):
    """The requests with API keys of the last days."""

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        key_id: str | Unset = UNSET,
        method: Literal["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"] | Unset = UNSET,
        failed: bool | Unset = UNSET,
        request_id: str | Unset = UNSET,
        created_since: str | Unset = UNSET,
        created_until: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[ApiRequest, ApiRequestsListResponse]:
        """List requests with API keys.

        Returns the requests of the last 7 days to `/api/v1`, `/api/settings/v1` and `/track`, newest first.
        Bodies, queries and headers are not kept. A request is listed about a second after its response. Read
        further pages by cursor.

        Args:
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            key_id: Returns requests with this API key.
            method: Filters by HTTP method.
            failed: `true`: only requests that were answered with an error. `false`: only others.
            request_id: Filters by `X-Request-Id`.
            created_since: Returns records created at or after this time.
            created_until: Returns records created at or before this time.
        """
        return self._connection.list("/api/settings/v1/api_requests", {"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "key_id": key_id, "method": method, "failed": failed, "request_id": request_id, "created_since": created_since, "created_until": created_until}, options)


class AuditLogResource(_Resource):
    """Changes, with the person or key that made them, and their time."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at"] | Unset = UNSET,
        caller_id: str | Unset = UNSET,
        caller_kind: Literal["session", "api_key", "connector", "system"] | Unset = UNSET,
        subject_id: str | Unset = UNSET,
        tool: str | Unset = UNSET,
        action: str | Unset = UNSET,
        preview: bool | Unset = UNSET,
        created_since: str | Unset = UNSET,
        created_until: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[AuditEntry, AuditLogListResponse]:
        """List the entries of the audit log.

        Returns the entries of the last 400 days, newest first.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            caller_id: ID of a member, connector or API key.
            caller_kind: Filters by the kind of caller.
            subject_id: ID of a record that the entries concern.
            tool: Kind of record, e.g. `members`.
            action: Action, e.g. `update_role`.
            preview: `true`: previews only. `false`: no previews.
            created_since: Returns records created at or after this time.
            created_until: Returns records created at or before this time.
        """
        return self._connection.list("/api/settings/v1/audit_log", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "caller_id": caller_id, "caller_kind": caller_kind, "subject_id": subject_id, "tool": tool, "action": action, "preview": preview, "created_since": created_since, "created_until": created_until}, options)


class ClicksResource(_Resource):
    """Clicks and visits as they arrive."""

    def recent(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> ClicksRecentResponse:
        """List recent clicks.

        Returns up to 50 clicks and visits of the last 7 days, bots included, newest first.
        """
        return self._connection.send("GET", "/api/settings/v1/site/recent_clicks", options=options)


class SiteResource(_Resource):
    """Checks whether tracking works on your site."""

    def check(
        self,
        *,
        url: str,
        options: RequestOptions | None = None,
    ) -> SiteCheckResponse:
        """Check the tracking script on a page.

        Reads a page of your site, and says whether the tracking script on it works.

        Args:
            url: A page of your site.
        """
        return self._connection.send("GET", "/api/settings/v1/site/check", query={"url": url}, options=options)

    def test_visit(
        self,
        *,
        mark: str,
        referral_id: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> SiteTestVisitResponse:
        """Retrieve a test visit.

        Returns how far a test visit has come: click, lead, sale and commission.

        Args:
            mark: Value of `sub5` in the address of the test visit.
            referral_id: Referral of the test visit’s click, if you know it already.
        """
        return self._connection.send("GET", "/api/settings/v1/site/test_visit", query={"mark": mark, "referral_id": referral_id}, options=options)

    def record_test_sale(
        self,
        *,
        mark: str,
        referral_id: str,
        options: RequestOptions | None = None,
    ) -> SiteRecordTestSaleResponse:
        """Record a test sale.

        Records a sale in test mode for the referral of a test visit.

        Args:
            mark: Value of `sub5` in the address of the test visit.
            referral_id: ID of the referral.
        """
        return self._connection.send("POST", "/api/settings/v1/site/test_sale", body={"mark": mark, "referral_id": referral_id}, options=options)


class ConnectorsResource(_Resource):
    """Access of AI assistants to the account, each with its own permissions."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Connector, ConnectorsListResponse]:
        """List connectors.

        Returns the connectors of AI assistants, revoked ones included, newest first.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
        """
        return self._connection.list("/api/settings/v1/connectors", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until}, options)

    def create(
        self,
        *,
        name: str,
        permissions: Dict[str, bool] | Unset = UNSET,
        allow_promo_code_management: bool | Unset = UNSET,
        daily_pay_limits: Sequence[Dict[str, Any]] | None | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> CreatedConnector:
        """Create a connector.

        The token for the AI assistant is in `token` of the response and is returned only once. A connector
        cannot have more permissions than the caller.

        Args:
            name: Name of the assistant and its user or team.
            permissions: Defaults to read access to everything except promo codes.
            allow_promo_code_management: Adds `mcp.affiliate_coupons.read` and `mcp.affiliate_coupons.write`.
              Default: `false`.
            daily_pay_limits: Largest amount per currency that the assistant may mark as paid within 24 hours;
              nothing in other currencies. `null`: no limit.
            expires_at: Expiration time; must be in the future. Defaults to no expiration.
        """
        return self._connection.send("POST", "/api/settings/v1/connectors", body={"name": name, "permissions": permissions, "allow_promo_code_management": allow_promo_code_management, "daily_pay_limits": daily_pay_limits, "expires_at": expires_at}, options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Connector:
        """Retrieve a connector.

        Also returns revoked connectors. The token is not returned.
        """
        return self._connection.send("GET", f"/api/settings/v1/connectors/{quote(id)}", options=options)

    def update(
        self,
        id: str,
        *,
        name: str | Unset = UNSET,
        permissions: Dict[str, bool] | Unset = UNSET,
        daily_pay_limits: Sequence[Dict[str, Any]] | None | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Connector:
        """Update a connector.

        Updates the given fields. Changed permissions and limits apply within a second.

        Args:
            name: Name of the assistant and its user or team.
            permissions: Replaces all permissions.
            daily_pay_limits: Largest amount per currency that the assistant may mark as paid within 24 hours;
              nothing in other currencies. `null`: no limit.
        """
        return self._connection.send("PATCH", f"/api/settings/v1/connectors/{quote(id)}", body={"name": name, "permissions": permissions, "daily_pay_limits": daily_pay_limits}, options=options)

    def revoke(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Revoke a connector.

        The assistant loses access within a second. The connector can still be retrieved. Members can revoke the
        connectors that they authorized themselves.
        """
        return self._connection.send("DELETE", f"/api/settings/v1/connectors/{quote(id)}", options=options)


class ConnectionsResource(_Resource):
    """Connections to accounts at payment providers."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[ProviderConnection, ConnectionsListResponse]:
        """List connections.

        Returns the connections to all payment providers, newest first.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
        """
        return self._connection.list("/api/settings/v1/connections", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total}, options)

    def create(
        self,
        *,
        source: str,
        credentials: str | Dict[str, str] | Unset = UNSET,
        webhook_secret: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> ProviderConnectionWithSecret:
        """Add a connection.

        Connects the account to a further account at a payment provider, also of a kind that is connected
        already. Checks the key, and stores it encrypted. Some sources have their endpoint created, or their
        secret made (`GET /connections/sources`). For the others, create an endpoint at the provider that sends
        events to `webhook_url`, and set its signing secret.

        Args:
            source: Kind of the source: a payment provider, or `facts` for facts that your own server signs.
            credentials: Key of your account at the provider, or an object with the `fields` of the source. The
              key determines live or test mode. It is never shown again.
            webhook_secret: Secret with which the provider signs events. Without it, this service makes the
              secret or creates the endpoint where the source allows it. Otherwise events are refused until you
              set it. For `facts`, also a public key (`whpk_…`) that verifies signatures of the kind `v1a`.
        """
        return self._connection.send("POST", "/api/settings/v1/connections", body={"source": source, "credentials": credentials, "webhook_secret": webhook_secret}, options=options)

    def sources(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> ConnectionsSourcesResponse:
        """List the sources that can be connected.

        Returns the kinds of sources, with the fields of their `credentials`.
        """
        return self._connection.send("GET", "/api/settings/v1/connections/sources", options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> ProviderConnection:
        """Retrieve a connection."""
        return self._connection.send("GET", f"/api/settings/v1/connections/{quote(id)}", options=options)

    def update(
        self,
        id: str,
        *,
        webhook_secret: str | Unset = UNSET,
        choices: Dict[str, str] | Unset = UNSET,
        rotate_signing_secret: Literal[True] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> ProviderConnectionWithSecret:
        """Set the signing secret of a connection.

        For 24 hours, events that are signed with the previous secret are also accepted.

        Args:
            webhook_secret: Secret with which the provider signs events to `webhook_url`.
            choices: Decisions to change, by name. They hold for everything that the provider tells from then
              on.
            rotate_signing_secret: Makes a new signing secret, for sources whose secret this service makes.
        """
        return self._connection.send("PATCH", f"/api/settings/v1/connections/{quote(id)}", body={"webhook_secret": webhook_secret, "choices": choices, "rotate_signing_secret": rotate_signing_secret}, options=options)

    def remove(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Remove a connection.

        Deletes the stored key and secrets. Recorded sales and commissions stay.
        """
        return self._connection.send("DELETE", f"/api/settings/v1/connections/{quote(id)}", options=options)

    def renew_key(
        self,
        id: str,
        *,
        credentials: str | Dict[str, str],
        options: RequestOptions | None = None,
    ) -> ProviderConnection:
        """Renew the key of a connection.

        Replaces the key by a new key of the same account at the provider, e.g. before it expires. Checks the
        new key, and stores it encrypted. The endpoint, the signing secret and your choices stay.

        Args:
            credentials: The new key, or an object with the `fields` of the source. It is never shown again.
        """
        return self._connection.send("PUT", f"/api/settings/v1/connections/{quote(id)}/credentials", body={"credentials": credentials}, options=options)


class PspConnectionResource(_Resource):
    """The connection of the account to Stripe, and the events that arrive by it."""

    def get(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> PspConnection:
        """Retrieve the connection to Stripe.

        Returns the connection, without its secrets. `connected` is false if there is none.
        """
        return self._connection.send("GET", "/api/settings/v1/psp_connection", options=options)

    def connect(
        self,
        *,
        secret_key: str,
        webhook_secret: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PspConnection:
        """Connect the account to Stripe.

        Checks the key with Stripe, stores it encrypted, and replaces an earlier connection. Without
        `webhook_secret`, the service creates the webhook endpoint in Stripe. Events that arrived before are
        handled now.

        Args:
            secret_key: Stripe secret key or restricted key. The key determines live or test mode.
            webhook_secret: Signing secret of a webhook endpoint that you have created in Stripe. Without it,
              the service creates the endpoint, for which the key needs the permission Webhook Endpoints (write).
        """
        return self._connection.send("PUT", "/api/settings/v1/psp_connection", body={"secret_key": secret_key, "webhook_secret": webhook_secret}, options=options)

    def update(
        self,
        *,
        connected_account_id: str | None | Unset = UNSET,
        customer_id_key: str | None | Unset = UNSET,
        outside_payments: OutsidePayments | Unset = UNSET,
        write_back: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PspConnection:
        """Update the settings of the connection.

        Updates the given fields. The secret key does not change.

        Args:
            connected_account_id: For a Stripe Connect platform: the connected account whose events count.
              `null` for the platform’s own account. Events of other accounts are kept without an effect.
            customer_id_key: Key of Stripe metadata under which you store your own ID of the customer. Initially
              `customer_id`. `null` if there is no such key.
            outside_payments: Effect of an invoice that is marked as paid outside Stripe: `count` (earns
              commissions) or `exclude`. Applies to payments that become known afterwards. Initially `count`.
            write_back: `true` if the service writes the IDs of `affiliate`, `campaign` and `commission` into
              the metadata of the customer and the invoice in Stripe. Applies to commissions that change
              afterwards. Initially `false`.
        """
        return self._connection.send("PATCH", "/api/settings/v1/psp_connection", body={"connected_account_id": connected_account_id, "customer_id_key": customer_id_key, "outside_payments": outside_payments, "write_back": write_back}, options=options)

    def disconnect(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Disconnect the account from Stripe.

        Deletes the stored secrets. Recorded sales and commissions stay. The settings are kept for the next
        connection.
        """
        return self._connection.send("DELETE", "/api/settings/v1/psp_connection", options=options)

    def last_events(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> PspConnectionLastEventsResponse:
        """Retrieve the last events from Stripe.

        Returns when the account last received an event from Stripe, in live and in test mode.
        """
        return self._connection.send("GET", "/api/settings/v1/psp_connection/last_events", options=options)

    def catalog(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> PspCatalog:
        """List products and prices.

        Returns the products and prices at all connected payment providers, to choose them by name in reward
        rules. They are at most a minute old. Empty if no provider is connected.
        """
        return self._connection.send("GET", "/api/settings/v1/psp_connection/catalog", options=options)

    def activity(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> PspConnectionActivityResponse:
        """Retrieve the activity of the connection.

        Returns what the service made of recent events from Stripe, and which of them it could not handle.
        """
        return self._connection.send("GET", "/api/settings/v1/psp_connection/activity", options=options)

    def endpoint(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> PspEndpointStatus:
        """Retrieve the webhook endpoint in Stripe.

        Asks Stripe for the endpoint that sends events to this service, and for the permissions that the key
        lacks.
        """
        return self._connection.send("GET", "/api/settings/v1/psp_connection/endpoint", options=options)

    def repair_endpoint(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> PspEndpointStatus:
        """Repair the webhook endpoint in Stripe.

        Creates the endpoint again, enables it, or subscribes it to the missing event types.
        """
        return self._connection.send("POST", "/api/settings/v1/psp_connection/repair_endpoint", options=options)

    def start_test_purchase(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> StartedTestPurchase:
        """Start a test purchase.

        Opens a checkout in the test mode of Stripe that names the newest link that can earn. Pay there with a
        test card, e.g. 4242 4242 4242 4242. Needs a key of test mode with the permission Checkout Sessions
        (write). After a lost answer (409 `OPERATION_PENDING`), the same request gives the same checkout.
        """
        return self._connection.send("POST", "/api/settings/v1/psp_connection/test_purchases", options=options)

    def test_purchase(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> TestPurchase:
        """Retrieve a test purchase.

        Returns how far a test purchase has come: its checkout, its payment, and the commission.
        """
        return self._connection.send("GET", f"/api/settings/v1/psp_connection/test_purchases/{quote(id)}", options=options)

    def rotate_webhook_secret(
        self,
        *,
        webhook_secret: str,
        options: RequestOptions | None = None,
    ) -> PspConnection:
        """Replace the signing secret of the connection.

        For 24 hours, events that are signed with the previous secret are also accepted.

        Args:
            webhook_secret: Signing secret of the webhook endpoint in Stripe.
        """
        return self._connection.send("POST", "/api/settings/v1/psp_connection/rotate_webhook_secret", body={"webhook_secret": webhook_secret}, options=options)


class ImportsResource(_Resource):
    """Moves of programs from other tools."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Import, ImportsListResponse]:
        """List imports.

        Returns imports, newest first.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
        """
        return self._connection.list("/api/settings/v1/imports", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total}, options)

    def create(
        self,
        *,
        source: str,
        credentials: str | Unset = UNSET,
        files: Sequence[Dict[str, Any]] | Unset = UNSET,
        draft: bool | Unset = UNSET,
        campaign_id: str | Unset = UNSET,
        currency: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Import:
        """Begin an import.

        Reads campaigns, affiliates, links, customers, codes, commissions and payouts of another tool in the
        background, and checks them. Makes nothing until you run the import: until then its `counts` and rows
        are the dry run.

        Args:
            source: `csv` for files, otherwise the name of the tool: `rewardful`, `first_promoter`, `tolt`,
              `dub`, `partner_stack`.
            credentials: Key of your account at the tool, with which everything can be read. For
              `first_promoter`, a colon and the ID of the account follow, for `tolt` a colon and the ID of the
              program, for `partner_stack` a colon and the secret key. Stored encrypted, and deleted when the
              import is done.
            files: The files of the source `csv`. Larger files arrive in parts.
            draft: True to send the files in parts. Nothing is read until you run the import.
            campaign_id: Campaign of affiliates for whom the source names none. Defaults to your default
              campaign.
            currency: Currency of amounts for which the source names none.
        """
        return self._connection.send("POST", "/api/settings/v1/imports", body={"source": source, "credentials": credentials, "files": files, "draft": draft, "campaign_id": campaign_id, "currency": currency}, options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Import:
        """Retrieve an import."""
        return self._connection.send("GET", f"/api/settings/v1/imports/{quote(id)}", options=options)

    def rows(
        self,
        id: str,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        kind: ImportedKind | Unset = UNSET,
        outcome: ImportOutcome | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[ImportRow, ImportsRowsResponse]:
        """List the records of an import.

        Returns what was read, in its order, and what becomes of each record.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            kind: Filters by kind.
            outcome: Filters by outcome.
        """
        return self._connection.list(f"/api/settings/v1/imports/{quote(id)}/rows", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "kind": kind, "outcome": outcome}, options)

    def add_part(
        self,
        id: str,
        *,
        file: int,
        offset: int,
        content: str,
        is_last: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Import:
        """Add a part of a file.

        Adds text at the end of a file of a draft. The files of an import have at most 50 MiB together. `files`
        of the import says how much has arrived, so that you can go on after a cut connection. Run the import
        when all files are complete: it is then read, and makes nothing.

        Args:
            file: Number of the file in the order of the import, from 0.
            offset: Bytes of the text in UTF-8 before this part: those that have arrived. A part that has
              arrived already changes nothing.
            content: The part as text.
            is_last: True for the last part of the file.
        """
        return self._connection.send("POST", f"/api/settings/v1/imports/{quote(id)}/parts", body={"file": file, "offset": offset, "content": content, "is_last": is_last}, options=options)

    def run(
        self,
        id: str,
        *,
        credentials: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Import:
        """Run an import.

        Reads a draft, so that you see what it would make. Otherwise makes the records in the background,
        without emails and webhooks. Goes on with an import that was stopped or has failed. An import that is
        done reads its source again, and makes what is new there. Commissions and payouts that have changed
        there are made again, unless they were paid here. Other records that exist are not changed.

        Args:
            credentials: A key, if the former one was deleted or is no longer valid.
        """
        return self._connection.send("POST", f"/api/settings/v1/imports/{quote(id)}/run", body={"credentials": credentials}, options=options)

    def stop(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Import:
        """Stop an import.

        Stops reading or making records. What was made stays. Run the import to go on.
        """
        return self._connection.send("POST", f"/api/settings/v1/imports/{quote(id)}/stop", options=options)

    def undo(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Import:
        """Undo an import.

        Removes all records that the import made, in the background. Those that have earned or were used since
        stay, with the reason `in_use`.
        """
        return self._connection.send("POST", f"/api/settings/v1/imports/{quote(id)}/undo", options=options)


class ShadowsResource(_Resource):
    """The time in which a former tool still decides and pays, and what this service would have paid."""

    def get(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Shadow:
        """Retrieve the shadow."""
        return self._connection.send("GET", "/api/settings/v1/shadow", options=options)

    def begin(
        self,
        *,
        since: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Shadow:
        """Begin a shadow.

        From now on, your former tool decides what sales earn, and pays: sales are recorded here and earn
        nothing, payouts wait, and affiliates get no news by email. Imports keep their keys and read their tools
        again each day, so that you can compare. With `since`, the former tool has decided from then on, and
        your payment providers are asked for all payments since. An account that is a shadow already may get an
        earlier beginning.

        Args:
            since: Time from which the former tool has decided, up to 24 months ago. Your connected payment
              providers are then asked for all payments since, so that you can compare them. Default: now.
        """
        return self._connection.send("POST", "/api/settings/v1/shadow", body={"since": since}, options=options)

    def end(
        self,
        *,
        imports: ShadowEnding | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Shadow:
        """End the shadow.

        Makes the switch: what is charged from now on earns here. Imports from tools read them once more, in the
        background, so that everything is here that was decided there until now. Payouts wait until they have.

        Args:
            imports: `read`: imports from tools read them once more, and nothing is paid until they have;
              `skip`: they do not. Default: `"read"`.
        """
        return self._connection.send("POST", "/api/settings/v1/shadow/end", body={"imports": imports}, options=options)

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        affiliate_id: str | Unset = UNSET,
        charged_since: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[ShadowCustomer, ShadowsListResponse]:
        """Compare with a former tool.

        Returns customers, newest first, with what the former tool and this service give for each of their
        sales: imported ones, and those that the payment provider has told. Computed when it is read, by the
        current terms of campaigns unless they have changed since; nothing is paid or stored.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            affiliate_id: Only customers who have a referral or a code of the affiliate.
            charged_since: Only sales that were charged at or after this time.
        """
        return self._connection.list("/api/settings/v1/shadows", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "affiliate_id": affiliate_id, "charged_since": charged_since}, options)

    def sums(
        self,
        *,
        affiliate_id: str | Unset = UNSET,
        charged_since: str | Unset = UNSET,
        after: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> ShadowSums:
        """Sum up the comparison with a former tool.

        Returns what the former tool and this service give, by affiliate, month and currency, for the next 200
        customers. Add the sums of all parts: pass `next` as `after` until it is `null`.

        Args:
            affiliate_id: Only customers who have a referral or a code of the affiliate.
            charged_since: Only sales that were charged at or after this time.
            after: `next` of the part before. Without it, the first part.
        """
        return self._connection.send("GET", "/api/settings/v1/shadows/sums", query={"affiliate_id": affiliate_id, "charged_since": charged_since, "after": after}, options=options)


class MeResource(_Resource):
    """The API key or the signed-in person that sends a request."""

    def get(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Caller:
        """Retrieve the caller.

        Returns who sends the request, and with which permissions.
        """
        return self._connection.send("GET", "/api/settings/v1/me", options=options)


class EmailTextsResource(_Resource):
    """Texts of the emails that affiliates get, in each language."""

    def list(
        self,
        *,
        language: MailLanguage | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> EmailTextsListResponse:
        """List the texts of emails to affiliates.

        Returns the texts of every email in a language: your own, or the default ones. The list is complete and
        has no pages.

        Args:
            language: Language of the texts.
        """
        return self._connection.send("GET", "/api/settings/v1/email_texts", query={"language": language}, options=options)

    def list_blocked(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> EmailTextsListBlockedResponse:
        """List addresses that get no emails.

        Returns the addresses of your affiliates and of invited people that do not exist or whose owner reported
        an email as spam. The list has no pages.
        """
        return self._connection.send("GET", "/api/settings/v1/blocked_addresses", options=options)

    def unblock(
        self,
        *,
        email: str,
        options: RequestOptions | None = None,
    ) -> EmailTextsUnblockResponse:
        """Unblock an address.

        Makes an address get emails again: if it did not exist, from everybody; if its owner reported an email
        as spam, from you. A new report blocks it again. At most 20 a day.

        Args:
            email: An address of the list.
        """
        return self._connection.send("POST", "/api/settings/v1/blocked_addresses/unblock", body={"email": email}, options=options)

    def preview(
        self,
        mail: str,
        *,
        subject: str,
        body: str,
        language: MailLanguage | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> EmailTextsPreviewResponse:
        """Preview an email to affiliates.

        Returns the email with the given texts and example values. Stores nothing.

        Args:
            language: Language of the texts. Default: `"en"`.
            subject: Subject. May contain placeholders.
            body: Paragraphs, separated by blank lines. Placeholders are written as `{{name}}`.
        """
        return self._connection.send("POST", f"/api/settings/v1/email_texts/{quote(mail)}/preview", body={"language": language, "subject": subject, "body": body}, options=options)

    def update(
        self,
        mail: str,
        *,
        subject: str,
        body: str,
        language: MailLanguage | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> EmailText:
        """Replace the texts of an email.

        Stores your own texts of an email in a language. Emails that were sent do not change.

        Args:
            language: Language of the texts. Default: `"en"`.
            subject: Subject. May contain placeholders.
            body: Paragraphs, separated by blank lines. Placeholders are written as `{{name}}`.
        """
        return self._connection.send("PUT", f"/api/settings/v1/email_texts/{quote(mail)}", body={"language": language, "subject": subject, "body": body}, options=options)

    def choose(
        self,
        mail: str,
        *,
        is_sent: bool,
        options: RequestOptions | None = None,
    ) -> EmailText:
        """Start or stop sending an email.

        Only emails with `is_optional` can be stopped.

        Args:
            is_sent: `false` to stop sending this email.
        """
        return self._connection.send("PATCH", f"/api/settings/v1/email_texts/{quote(mail)}", body={"is_sent": is_sent}, options=options)

    def reset(
        self,
        mail: str,
        *,
        language: MailLanguage | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> EmailText:
        """Reset the texts of an email.

        Deletes your own texts of an email in a language, and returns the default ones.

        Args:
            language: Language of the texts. Default: `"en"`.
        """
        return self._connection.send("POST", f"/api/settings/v1/email_texts/{quote(mail)}/reset", body={"language": language}, options=options)

    def send_test(
        self,
        mail: str,
        *,
        language: MailLanguage | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> EmailTextsSendTestResponse:
        """Send an email with example values to yourself.

        Only signed-in members can send it, because an API key has no email address.

        Args:
            language: Language of the texts. Default: `"en"`.
        """
        return self._connection.send("POST", f"/api/settings/v1/email_texts/{quote(mail)}/test", body={"language": language}, options=options)


class PayoutRailsResource(_Resource):
    """Accounts at services that pay affiliates."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[PayoutRail, PayoutRailsListResponse]:
        """List payout rails.

        Returns the connected accounts at services that pay affiliates, newest first.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
        """
        return self._connection.list("/api/settings/v1/payout_rails", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total}, options)

    def create(
        self,
        *,
        kind: str,
        credentials: Dict[str, str],
        options: RequestOptions | None = None,
    ) -> PayoutRail:
        """Connect a payout rail.

        Connects your account at a service that pays affiliates. Checks the credentials there, stores them
        encrypted, and has the service send its notices. Connecting the same account again replaces its
        credentials and continues its payments.

        Args:
            kind: Kind of the method whose payments go through the rail.
            credentials: An object with the `fields` of the rail. They determine live or test mode. They are
              never shown again.
        """
        return self._connection.send("POST", "/api/settings/v1/payout_rails", body={"kind": kind, "credentials": credentials}, options=options)

    def kinds(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> PayoutRailsKindsResponse:
        """List the services that can be connected.

        Returns the kinds of services that pay affiliates, with the fields of their `credentials`.
        """
        return self._connection.send("GET", "/api/settings/v1/payout_rails/kinds", options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PayoutRail:
        """Retrieve a payout rail."""
        return self._connection.send("GET", f"/api/settings/v1/payout_rails/{quote(id)}", options=options)

    def remove(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Remove a payout rail.

        Deletes the stored credentials. Payments that are not sent wait for another rail of the kind. Those
        under way are followed again when the same account is connected again.
        """
        return self._connection.send("DELETE", f"/api/settings/v1/payout_rails/{quote(id)}", options=options)

    def resume(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PayoutRail:
        """Resume a payout rail.

        Has payments sent again that wait because of the `problem` of the rail. Correct the cause first.
        """
        return self._connection.send("POST", f"/api/settings/v1/payout_rails/{quote(id)}/resume", options=options)


class TestModeResource(_Resource):
    """The clock of test mode, and its data."""

    def clock(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> TestClock:
        """Retrieve the test clock.

        Only in test mode.
        """
        return self._connection.send("GET", "/api/settings/v1/test_clock", options=options)

    def advance_clock(
        self,
        *,
        days: int | Unset = UNSET,
        to: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> TestClock:
        """Move the test clock forward.

        Only in test mode. Moves the dates of all test records closer: commissions fall due, referrals and
        invitations expire, and webhook deliveries are attempted again.

        Args:
            days: Days by which to move the clock forward. Required unless `to` is given.
            to: Time to which to move the clock, after the time that it shows, by at most 366 days, and at most
              ten years ahead. Instead of `days`.
        """
        return self._connection.send("POST", "/api/settings/v1/test_clock/advance", body={"days": days, "to": to}, options=options)

    def copy_campaigns(
        self,
        *,
        dry_run: bool | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> CopiedCampaigns:
        """Copy campaigns from live mode.

        Only in test mode, for members and keys without a mode. Copies the live campaigns that are not archived,
        with their tiers and the reward rules that are not for one affiliate or link. Campaigns whose slug or
        `external_id` test mode already has are left as they are, so that repeating the call changes nothing.
        Later changes of live campaigns are not copied. With `dry_run`, previews the copy.

        Args:
            dry_run: If `true`, previews the copy without making it. Default: `false`.
        """
        return self._connection.send("POST", "/api/settings/v1/test_data/copy_campaigns", body={"dry_run": dry_run}, options=options)

    def delete_data(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> DeletedTestData:
        """Delete all test data.

        Only in test mode. Deletes all records of test mode for good, and sets the test clock back. Keeps API
        keys, webhook endpoints, the connection to Stripe and other settings. Live records are not touched.
        """
        return self._connection.send("POST", "/api/settings/v1/test_data/delete", options=options)


class WebhookDeliveriesResource(_Resource):
    """Deliveries of events to endpoints, with every attempt."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at"] | Unset = UNSET,
        endpoint_id: str | Unset = UNSET,
        event_type: EventType | Unset = UNSET,
        livemode: bool | Unset = UNSET,
        status: DeliveryStatus | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[WebhookDelivery, WebhookDeliveriesListResponse]:
        """List webhook deliveries.

        Returns the deliveries of the last 90 days, those of deleted endpoints included, newest first.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            endpoint_id: ID of the webhook endpoint.
            event_type: Filters by the type of the event.
            livemode: `true`: records of live mode only. `false`: records of test mode only.
            status: Filters by status.
        """
        return self._connection.list("/api/settings/v1/webhook_deliveries", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "endpoint_id": endpoint_id, "event_type": event_type, "livemode": livemode, "status": status}, options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> WebhookDeliveryDetail:
        """Retrieve a webhook delivery.

        Includes the request body and the attempts of the last 30 days, with their responses.
        """
        return self._connection.send("GET", f"/api/settings/v1/webhook_deliveries/{quote(id)}", options=options)

    def retry(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> WebhookDeliveryDetail:
        """Retry a webhook delivery.

        Makes one extra attempt now, whatever the status of the delivery. The schedule of attempts does not
        change. Fails if the endpoint is deleted.
        """
        return self._connection.send("POST", f"/api/settings/v1/webhook_deliveries/{quote(id)}/retry", options=options)

    def resend_since(
        self,
        endpoint_id: str,
        *,
        since: str,
        options: RequestOptions | None = None,
    ) -> ResendSummary:
        """Send the events since a time again.

        For a receiver that was down. Events without a delivery to the endpoint, or with failed ones only, get a
        new delivery. Pending deliveries get an extra attempt now. The endpoint must be active.

        Args:
            since: Events that occurred at or after this time are sent again, unless they were delivered.
        """
        return self._connection.send("POST", f"/api/settings/v1/webhook_endpoints/{quote(endpoint_id)}/resend", body={"since": since}, options=options)


class WebhookEndpointsResource(_Resource):
    """URLs that receive signed events."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[WebhookEndpoint, WebhookEndpointsListResponse]:
        """List webhook endpoints.

        Returns endpoints that are not deleted, newest first.

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
        """
        return self._connection.list("/api/settings/v1/webhook_endpoints", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until}, options)

    def create(
        self,
        *,
        name: str,
        url: str,
        event_types: Sequence[EventSubscription],
        active: bool | Unset = UNSET,
        livemode: bool | None | Unset = UNSET,
        secret_headers: Dict[str, str] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> WebhookEndpointWithSecret:
        """Create a webhook endpoint.

        The signing secret is in `signing_secret` of the response and is returned only once. An account has at
        most 100 endpoints.

        Args:
            name: Name.
            url: URL to which events are posted. Must be http or https, without credentials (see
              `secret_headers`), on a public address.
            event_types: Event types sent to this endpoint. `commission.*` stands for all about commissions, `*`
              for all, later types included.
            active: `true` if deliveries are sent. Deliveries that come due while the endpoint is inactive are
              sent when it is activated again. Default: `true`.
            livemode: `true`: events about live records only. `false`: events about test records only. `null`:
              both.
            secret_headers: Headers that are sent with each delivery, e.g. `Authorization`. At most 10, replaced
              as a whole. They are never shown again, and are forgotten when the host of `url` changes, unless
              they are given with it.
        """
        return self._connection.send("POST", "/api/settings/v1/webhook_endpoints", body={"name": name, "url": url, "event_types": event_types, "active": active, "livemode": livemode, "secret_headers": secret_headers}, options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> WebhookEndpoint:
        """Retrieve a webhook endpoint.

        Also returns deleted endpoints.
        """
        return self._connection.send("GET", f"/api/settings/v1/webhook_endpoints/{quote(id)}", options=options)

    def update(
        self,
        id: str,
        *,
        name: str | Unset = UNSET,
        url: str | Unset = UNSET,
        event_types: Sequence[EventSubscription] | Unset = UNSET,
        active: bool | Unset = UNSET,
        livemode: bool | None | Unset = UNSET,
        secret_headers: Dict[str, str] | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> WebhookEndpoint:
        """Update a webhook endpoint.

        Updates the given fields. `active: true` activates an endpoint that the service deactivated.

        Args:
            name: Name.
            url: URL to which events are posted. Must be http or https, without credentials (see
              `secret_headers`), on a public address.
            event_types: Event types sent to this endpoint. `commission.*` stands for all about commissions, `*`
              for all, later types included.
            active: `true` if deliveries are sent. Deliveries that come due while the endpoint is inactive are
              sent when it is activated again.
            livemode: `true`: events about live records only. `false`: events about test records only. `null`:
              both.
            secret_headers: Headers that are sent with each delivery, e.g. `Authorization`. At most 10, replaced
              as a whole. They are never shown again, and are forgotten when the host of `url` changes, unless
              they are given with it.
        """
        return self._connection.send("PATCH", f"/api/settings/v1/webhook_endpoints/{quote(id)}", body={"name": name, "url": url, "event_types": event_types, "active": active, "livemode": livemode, "secret_headers": secret_headers}, options=options)

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a webhook endpoint.

        Pending deliveries are canceled. The endpoint is no longer listed, but it and its deliveries can still
        be retrieved.
        """
        return self._connection.send("DELETE", f"/api/settings/v1/webhook_endpoints/{quote(id)}", options=options)

    def rotate_secret(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> WebhookEndpointWithSecret:
        """Rotate the signing secret of a webhook endpoint.

        The new secret is in `signing_secret` of the response and is returned only once. For 24 hours,
        deliveries are also signed with the previous secret.
        """
        return self._connection.send("POST", f"/api/settings/v1/webhook_endpoints/{quote(id)}/rotate_secret", options=options)

    def send_test(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> WebhookDeliveryDetail:
        """Send a test event to a webhook endpoint.

        Posts a made-up event of the first subscribed type, with `"test": true`, in one attempt. Works for
        inactive endpoints, too. Returns the delivery.
        """
        return self._connection.send("POST", f"/api/settings/v1/webhook_endpoints/{quote(id)}/test", options=options)


class MembersResource(_Resource):
    """People with access to the account, and their roles."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        ending_before: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        sort: Literal["-created_at", "created_at", "-updated_at", "updated_at"] | Unset = UNSET,
        updated_since: str | Unset = UNSET,
        updated_until: str | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Listing[Member, MembersListResponse]:
        """List members.

        Returns the members of the account, newest first. To add a member, create an invitation (`POST
        /api/v1/invitations`).

        Args:
            page: Page number, starting at 1.
            limit: Records per page. Values above 100 count as 100.
            starting_after: `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the
              same `sort` and filters.
            ending_before: `pagination.previous_cursor` of the following page. Use it instead of `page`, with
              the same `sort` and filters.
            include_total: `false` leaves out `total_count` and `total_pages`, which makes long filtered lists
              faster.
            sort: Order of the records. A leading minus means descending.
            updated_since: Returns records updated at or after this time.
            updated_until: Returns records updated at or before this time.
        """
        return self._connection.list("/api/settings/v1/members", {"page": page, "limit": limit, "starting_after": starting_after, "ending_before": ending_before, "include_total": include_total, "sort": sort, "updated_since": updated_since, "updated_until": updated_until}, options)

    def get(
        self,
        user_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Member:
        """Retrieve a member.

        Returns a person with access to the account.
        """
        return self._connection.send("GET", f"/api/settings/v1/members/{quote(user_id)}", options=options)

    def update_role(
        self,
        user_id: str,
        *,
        role: Role,
        options: RequestOptions | None = None,
    ) -> Member:
        """Change the role of a member.

        Only an owner can make or demote an owner, and the last owner keeps the role. An API key needs all
        permissions of the new role.
        """
        return self._connection.send("PATCH", f"/api/settings/v1/members/{quote(user_id)}", body={"role": role}, options=options)

    def remove(
        self,
        user_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Remove a member.

        The person loses access to the account, and the AI assistants that they connected to it are revoked.
        Only an owner can remove an owner, and the last owner cannot be removed.
        """
        return self._connection.send("DELETE", f"/api/settings/v1/members/{quote(user_id)}", options=options)

    def remove_second_factor(
        self,
        user_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Member:
        """Remove the second factor of a member.

        For a member who lost the device. Only signed-in owners can remove it.
        """
        return self._connection.send("POST", f"/api/settings/v1/members/{quote(user_id)}/remove_second_factor", options=options)


class PortalSettingsResource(_Resource):
    """Settings of sign-up pages and of the portal: brand, approval, questions, terms, host name."""

    def get(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> PortalSettings:
        """Retrieve the portal settings.

        Returns the settings of sign-up pages and the portal: brand, approval, questions, terms, host name.
        """
        return self._connection.send("GET", "/api/settings/v1/portal_settings", options=options)

    def update(
        self,
        *,
        slug: str | Unset = UNSET,
        brand_name: str | None | Unset = UNSET,
        brand_color: str | None | Unset = UNSET,
        support_email: str | None | Unset = UNSET,
        approval: ApprovalMode | Unset = UNSET,
        approved_domains: Sequence[str] | Unset = UNSET,
        rejected_domains: Sequence[str] | Unset = UNSET,
        questions: Sequence[Dict[str, Any]] | Unset = UNSET,
        embed_origins: Sequence[str] | Unset = UNSET,
        payout_details_hold_days: int | Unset = UNSET,
        billing_details: str | None | Unset = UNSET,
        portal_host: str | None | Unset = UNSET,
        terms: str | Unset = UNSET,
        terms_summary: str | None | Unset = UNSET,
        terms_apply_from: str | Unset = UNSET,
        program_emails: ProgramEmails | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> PortalSettings:
        """Update the portal settings.

        Updates the given fields. `terms` publishes a new version of the terms.

        Args:
            slug: Name in URLs.
            brand_name: Name of the program in the portal.
            brand_color: Color of the portal.
            support_email: Email address for questions of affiliates.
            approval: `manual`: applicants wait until they are approved; `automatic`: all are approved; `rule`:
              the domain of their email address decides.
            approved_domains: With `rule`: applicants with addresses of these domains are approved.
            rejected_domains: With `rule`: applicants with addresses of these domains are rejected.
            questions: Questions to applicants.
            embed_origins: Sites that may embed the portal.
            payout_details_hold_days: Days for which payouts are on hold after a change of payout details.
            billing_details: Your name, address and tax number, as statements of payouts show them.
            portal_host: Your own host name for the portal. Used as soon as it is verified. `null` removes it.
            terms: Publishes a new version of the terms.
            terms_summary: With a new version of `terms`: your words about what changes. Affiliates read them in
              the email and in the portal.
            terms_apply_from: With a new version of `terms`: time from which affiliates need to have accepted
              it. Default: now.
            program_emails: Affiliates who get the emails of the program: `everyone`, or only those who have
              `signed_in` at least once.
        """
        return self._connection.send("PATCH", "/api/settings/v1/portal_settings", body={"slug": slug, "brand_name": brand_name, "brand_color": brand_color, "support_email": support_email, "approval": approval, "approved_domains": approved_domains, "rejected_domains": rejected_domains, "questions": questions, "embed_origins": embed_origins, "payout_details_hold_days": payout_details_hold_days, "billing_details": billing_details, "portal_host": portal_host, "terms": terms, "terms_summary": terms_summary, "terms_apply_from": terms_apply_from, "program_emails": program_emails}, options=options)

    def check_host(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> PortalSettings:
        """Check the host name of the portal.

        Requests a check, which is made within seconds. `portal_host` of the settings then has the result.
        """
        return self._connection.send("POST", "/api/settings/v1/portal_settings/check_host", options=options)

    def set_logo(
        self,
        *,
        content: str,
        options: RequestOptions | None = None,
    ) -> PortalSettings:
        """Set the logo.

        Affiliates see the logo on sign-up pages, in the portal and in emails.

        Args:
            content: A PNG, JPEG or WebP of at most 512 KiB, in base64.
        """
        return self._connection.send("PUT", "/api/settings/v1/portal_settings/logo", body={"content": content}, options=options)

    def remove_logo(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Remove the logo.

        Affiliates see the name of the account instead.
        """
        return self._connection.send("DELETE", "/api/settings/v1/portal_settings/logo", options=options)

    def upload_logo(
        self,
        file: bytes | BinaryIO,
        *,
        options: RequestOptions | None = None,
    ) -> PortalSettings:
        """Upload the logo.

        Does the same as setting the logo, but takes the bytes of the image as the body of the request.

        Args:
            file: The bytes of the file, or the file opened in binary mode.
        """
        return self._connection.send("PUT", "/api/settings/v1/portal_settings/logo/upload", file=file, options=options)


class AffiliateProgram:
    """The affiliate program of an account."""

    def __init__(
        self,
        url: str,
        *,
        api_key: str,
        account_id: str,
        livemode: bool | None = None,
        timeout: float = 60.0,
        retries: int = 2,
    ) -> None:
        """
        Args:
            livemode: False for test mode, with a key that has no mode of its own.
        """
        connection = Connection(
            url, api_key=api_key, account_id=account_id, livemode=livemode, timeout=timeout, retries=retries
        )
        self.affiliate_coupons = AffiliateCouponsResource(connection)
        self.affiliates = AffiliatesResource(connection)
        self.api_keys = ApiKeysResource(connection)
        self.applications = ApplicationsResource(connection)
        self.assets = AssetsResource(connection)
        self.campaigns = CampaignsResource(connection)
        self.overview = OverviewResource(connection)
        self.analytics = AnalyticsResource(connection)
        self.promo_codes = PromoCodesResource(connection)
        self.commissions = CommissionsResource(connection)
        self.customers = CustomersResource(connection)
        self.events = EventsResource(connection)
        self.leads = LeadsResource(connection)
        self.links = LinksResource(connection)
        self.payouts = PayoutsResource(connection)
        self.payout_attempts = PayoutAttemptsResource(connection)
        self.payout_batches = PayoutBatchesResource(connection)
        self.payout_methods = PayoutMethodsResource(connection)
        self.payout_screenings = PayoutScreeningsResource(connection)
        self.payout_exports = PayoutExportsResource(connection)
        self.payout_runs = PayoutRunsResource(connection)
        self.referrals = ReferralsResource(connection)
        self.refunds = RefundsResource(connection)
        self.reward_rules = RewardRulesResource(connection)
        self.tiers = TiersResource(connection)
        self.tracking = TrackingResource(connection)
        self.invitations = InvitationsResource(connection)
        self.sales = SalesResource(connection)
        self.search = SearchResource(connection)
        self.api_requests = ApiRequestsResource(connection)
        self.audit_log = AuditLogResource(connection)
        self.clicks = ClicksResource(connection)
        self.site = SiteResource(connection)
        self.connectors = ConnectorsResource(connection)
        self.connections = ConnectionsResource(connection)
        self.psp_connection = PspConnectionResource(connection)
        self.imports = ImportsResource(connection)
        self.shadows = ShadowsResource(connection)
        self.me = MeResource(connection)
        self.email_texts = EmailTextsResource(connection)
        self.payout_rails = PayoutRailsResource(connection)
        self.test_mode = TestModeResource(connection)
        self.webhook_deliveries = WebhookDeliveriesResource(connection)
        self.webhook_endpoints = WebhookEndpointsResource(connection)
        self.members = MembersResource(connection)
        self.portal_settings = PortalSettingsResource(connection)
